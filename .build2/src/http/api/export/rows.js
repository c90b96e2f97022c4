export const lengthOf = ({ collection, rows }) => rows?.length ?? collection.size;
export const rowAt = ({ rows }, i) => (rows === null ? i : rows[i]);
