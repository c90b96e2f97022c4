/** Entity tags from what determines an answer's bytes: nothing of the answer itself is needed. */
import type { ParameterValues } from '../../query/request.js';

/** FNV-1a, 32 bits (draft-eastlake-fnv). */
export function fnv1a(text: string): number {
  let bits = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) bits = Math.imul(bits ^ text.charCodeAt(i), 0x0100_0193);
  return bits | 0;
}

/**
 * Tags only have to differ between representations of one URL, which the version sees to; that two URLs share one is
 * harmless (RFC 9110, section 8.8.3).
 */
const hash = (text: string): string => (fnv1a(text) >>> 0).toString(36);

/** `version` names the dataset, the program and its settings; the request is taken by its meaning, not its spelling. */
export function etagOf(version: string, path: string, values: ParameterValues | null, key = ''): string {
  let request = `${path}\n${key}`;
  if (values !== null)
    for (const name of [...values.keys()].sort()) request += `\n${name}=${JSON.stringify(values.get(name))}`;
  return `${version}-${hash(request)}`;
}

/** Of what does not change while the program runs: part of every tag. */
export const settingsEtag = (...settings: readonly (string | number)[]): string => hash(settings.join('\n'));
