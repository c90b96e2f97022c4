/** Percent-encoding of values in addresses. */
/**
 * The value as a path segment, or as a value in a query string, holds it. Half a surrogate pair has no UTF-8; it is
 * encoded as U+FFFD, where `encodeURIComponent` throws.
 */
export const percentEncode = (text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
