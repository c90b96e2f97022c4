/** Small rules about text that load, store and query must agree on. */

const COMBINING = /[\u0300-\u036f]/g;

/** Folds case and the diacritics of Latin, Greek and Cyrillic letters, so that `Café` and `cafe` are one key. */
export const fold = (text: string): string =>
  text.normalize('NFD').replace(COMBINING, '').normalize('NFC').toLowerCase();

/** Orders as people read: `part2` before `part10`. */
export const naturalOrder = new Intl.Collator('en', { numeric: true }).compare;

/** A value as it is quoted in a message: JSON, shortened to at most 60 characters. */
export function quote(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** `3 records`, `1 record`. */
export const count = (n: number, noun: string): string => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;

/** Text that a spreadsheet would run as a formula, however many guards stand before it already. */
export const FORMULA = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

/** Puts an apostrophe before text that a spreadsheet would run as a formula. */
export const guardFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Undoes `guardFormula` exactly. */
export const unguardFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
