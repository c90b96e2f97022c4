/** Percent-encoding of values in addresses. */

/**
 * The value as it stands in a path segment or a query string. Half a surrogate pair has no UTF-8: it is encoded as
 * U+FFFD, where `encodeURIComponent` would throw.
 */
export const percentEncode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** A path as an address has it: what is no ASCII is encoded, escapes stay. */
export const asciiPath = (path: string): string => path.replace(/[^\0-\x7f]+/gu, percentEncode);

/** The text of a path segment; as it is where its escapes are no UTF-8. */
export function percentDecode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A collection's name in a path; that of its changes has two segments: `products/changes`. */
export const namePath = (name: string): string => name.split('/').map(percentEncode).join('/');
