/** The map's value of a key; where it has none, `make` gives it, and the map stores it. */
export function keptIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const stored = map.get(key);
  if (stored !== undefined) return stored;
  const value = make();
  map.set(key, value);
  return value;
}

/** A memo of `make`: one result for each object, for as long as the object lives. The other arguments follow from the object. */
export function memoize<Key extends object, Others extends readonly unknown[], Result>(
  make: (key: Key, ...others: Others) => Result,
): (key: Key, ...others: Others) => Result {
  const results = new WeakMap<Key, { readonly result: Result }>();
  return (key, ...others) => {
    const memo = results.get(key);
    if (memo !== undefined) return memo.result;
    const result = make(key, ...others);
    results.set(key, { result });
    return result;
  };
}

/** A memo of results by an object and a text, for as long as the object lives. */
export function memoizeByText<Value>(): (owner: object, text: string, make: () => Value) => Value {
  const resultsOf = memoize((_owner: object) => new Map<string, Value>());
  return (owner, text, make) => keptIn(resultsOf(owner), text, make);
}
