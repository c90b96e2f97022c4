/**
 * A sort key's permutation of the rows, and the key of each row as a plain integer. Rows with a value come first,
 * ascending, ties by row; rows without one follow in row order. `desc` is the same permutation with the valued part read
 * backwards, so both directions cost the same. Any subset of rows is sorted by their keys.
 */
/** The position to read for the i-th row of a listing whose first `valued` positions have a value. */
export const positionAt = (i, valued, descending) => descending && i < valued ? valued - 1 - i : i;
/** An order in which every row has a key of its own: its position. */
export function buildSortOrder(rows, valued) {
    const keys = new Uint32Array(rows.length);
    for (let position = 0; position < rows.length; position++)
        keys[rows[position]] = position;
    return { rows, keys, valued };
}
/** The first position whose row has this key or a greater one; of those with this key, `from` or a greater row. */
export function positionOfKey({ rows, keys }, key, from = 0) {
    let low = 0;
    let high = rows.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        const row = rows[middle];
        if (keys[row] < key || (keys[row] === key && row < from))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
