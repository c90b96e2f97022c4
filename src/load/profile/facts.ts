/**
 * Facts about the values of a column, each found once: a file is planned several times, as articles, as products, as a collection of its
 * own, and its sampled values stay the same.
 */

/** The same function, which computes its fact once for each list of values. Such lists are never written to. */
export function factOf<Value, Fact>(compute: (values: readonly Value[]) => Fact): (values: readonly Value[]) => Fact {
  const facts = new WeakMap<readonly Value[], { readonly fact: Fact }>();
  return (values) => {
    const entry = facts.get(values) ?? { fact: compute(values) };
    facts.set(values, entry);
    return entry.fact;
  };
}
