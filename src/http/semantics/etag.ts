/** Entity tags from what determines an answer's bytes: nothing of the answer itself is needed. */

/** FNV-1a, 32 bits (draft-eastlake-fnv). */
export function fnv1a(text: string): number {
  let bits = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) bits = Math.imul(bits ^ text.charCodeAt(i), 0x0100_0193);
  return bits | 0;
}

const hash = (text: string): string => (fnv1a(text) >>> 0).toString(36);

/**
 * `version` names the dataset, the program and its settings, `target` what was asked for, as it was sent. Tags only have
 * to differ between representations of one URL, which the version sees to; that two URLs share one is harmless (RFC 9110,
 * section 8.8.3).
 */
export const etagOf = (version: string, target: string, key = ''): string => `${version}-${hash(target + key)}`;

/** Of what does not change while the program runs: part of every tag. */
export const settingsEtag = (...settings: readonly (string | number)[]): string => hash(settings.join('\n'));
