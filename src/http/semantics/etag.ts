/** Entity tags, computed from the dataset's version and the request's target: the body is not needed. */

import { fnv1a } from '../../text.js';

const hash = (text: string): string => (fnv1a(text) >>> 0).toString(36);

/**
 * `version` names the dataset, the program and its settings; `target` is the request's target as it was sent. Two URLs may
 * share a tag: tags need only differ between representations of one URL (RFC 9110, section 8.8.3).
 */
export const etagOf = (version: string, target: string, key = ''): string => `${version}-${hash(target + key)}`;

/** A hash of the settings, which do not change while the program runs: a part of every tag. */
export const settingsEtag = (...settings: readonly (string | number)[]): string => hash(settings.join('\n'));
