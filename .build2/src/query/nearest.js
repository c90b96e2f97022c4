/** "Did you mean": the known name that a wrong one most likely stood for. */
import SearchableMap from 'minisearch/SearchableMap';
/** The name at the smallest edit distance from `wrong`, at most a third of its length, case aside; null if none is. */
export function nearest(wrong, names) {
    if (wrong.length > 64)
        return null;
    const known = SearchableMap.from([...names].map((name) => [name.toLowerCase(), name]));
    const maxDistance = Math.max(1, Math.floor(wrong.length / 3));
    const candidates = [...known.fuzzyGet(wrong.toLowerCase(), maxDistance).values()];
    candidates.sort(([a, distanceA], [b, distanceB]) => distanceA - distanceB || (a < b ? -1 : 1));
    return candidates[0]?.[0] ?? null;
}
/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(wrong, names) {
    const name = nearest(wrong, names);
    return name === null ? '' : ` Did you mean ${JSON.stringify(name)}?`;
}
