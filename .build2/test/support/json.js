export const isObject = (value) => typeof value === 'object' && value !== null;
export const listOf = (value) => (Array.isArray(value) ? value : []);
/** The value behind these keys, or undefined. */
export const at = (value, ...keys) => keys.reduce((part, key) => (isObject(part) ? part[key] : undefined), value);
