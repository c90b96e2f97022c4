/** Percent-encoding of values in addresses. */

/**
 * The value as it stands in a path segment or a query string. Half a surrogate pair has no UTF-8: it is encoded as
 * U+FFFD, where `encodeURIComponent` would throw.
 */
export const percentEncode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
