/** FNV-1a, 32 bits (draft-eastlake-fnv). */
export function fnv1a(text) {
    let bits = 0x811c_9dc5;
    for (let i = 0; i < text.length; i++)
        bits = Math.imul(bits ^ text.charCodeAt(i), 0x0100_0193);
    return bits | 0;
}
/**
 * Tags only have to differ between representations of one URL, which the version sees to; that two URLs share one is
 * harmless (RFC 9110, section 8.8.3).
 */
const hash = (text) => (fnv1a(text) >>> 0).toString(36);
/** `version` names the dataset, the program and its settings; the request is taken by its meaning, not its spelling. */
export function etagOf(version, path, values, key = '') {
    let request = `${path}\n${key}`;
    if (values !== null)
        for (const name of [...values.keys()].sort())
            request += `\n${name}=${JSON.stringify(values.get(name))}`;
    return `${version}-${hash(request)}`;
}
/** Of what does not change while the program runs: part of every tag. */
export const settingsEtag = (...settings) => hash(settings.join('\n'));
