/** The language of a collection, decided by the texts of its files' samples. */
import { type Language, languageOf } from '../languages.js';
import type { OpenedFile } from './open-file.js';
import { isPlainObject } from './paths.js';

const MAX_TEXT_DEPTH = 4;

/** Files take turns, a record each, so that no file decides alone. */
export const sampledLanguage = (files: readonly OpenedFile[]): Language => languageOf(sampledTexts(files));

function* sampledTexts(files: readonly OpenedFile[]): Iterable<string> {
  const longest = Math.max(0, ...files.map(({ layout }) => layout.sample.length));
  for (let i = 0; i < longest; i++)
    for (const { layout } of files) yield* textsIn(layout.sample[i]?.cells ?? [], MAX_TEXT_DEPTH);
}

/** Texts of several words, however deep: an address or a code has no language. */
function* textsIn(value: unknown, depth: number): Iterable<string> {
  if (typeof value === 'string') {
    if (value.includes(' ')) yield value;
  } else if (depth > 0 && Array.isArray(value)) for (const one of value) yield* textsIn(one, depth - 1);
  else if (depth > 0 && isPlainObject(value)) yield* textsIn(Object.values(value), depth - 1);
}
