export const createRouteTable = (resources) => ({
    literals: new Map(resources.filter(isLiteral).map((resource) => [resource.path, resource])),
    parents: new Map(resources.filter((resource) => !isLiteral(resource)).map((resource) => [parentOf(resource.path), resource])),
});
const isLiteral = ({ pathParameter }) => pathParameter === null;
const parentOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);
export function findResource({ literals, parents }, path) {
    const literal = literals.get(path);
    if (literal !== undefined)
        return literal;
    const parent = parentOf(path);
    return (parent.length < path.length ? parents.get(parent) : undefined) ?? null;
}
/**
 * The known path that was meant by one with slashes too many at its end or in other case; null where there is none.
 * `paths` are Hono patterns.
 */
export function meantPath(path, paths) {
    let end = path.length;
    while (end > 1 && path[end - 1] === '/')
        end--;
    const plain = path.slice(0, end);
    const parent = parentOf(plain);
    for (const known of paths) {
        const isParameter = known.includes(':');
        const fixed = isParameter ? parentOf(known) : known;
        if ((isParameter ? parent : plain).toLowerCase() !== fixed.toLowerCase())
            continue;
        const meant = isParameter ? fixed + plain.slice(parent.length) : fixed;
        if (meant !== path)
            return meant;
    }
    return null;
}
