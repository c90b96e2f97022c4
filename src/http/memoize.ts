/** The value of a key, made and kept where the map has none. */
export function keptIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** What `make` makes of an object, made once and kept for as long as the object lives. */
export function memoize<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, { readonly of: Made }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.of;
    const of = make(key);
    made.set(key, { of });
    return of;
  };
}
