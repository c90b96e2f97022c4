/** How names of sources are compared. */
/** Names are compared by their letters and digits alone: `Num-Comments`, `num_comments` and `numComments` are one. */
export const nameKey = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
/** The name itself, else one of the same letters and digits. */
export function nameLike(names, wanted) {
    if (names.includes(wanted))
        return wanted;
    const key = nameKey(wanted);
    return key === '' ? undefined : names.find((name) => nameKey(name) === key);
}
