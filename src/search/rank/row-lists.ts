/**
 * What a search text names besides words: codes of records, which no text has (`KT-INS114-DRE` in a column `sku`), and words of which
 * records have the parts (`16gb` for `16 GB`). Each gives a list of rows, whose records score as if they had a term of their own. Cost:
 * a look-up for each piece between spaces, and one walk through positions for each word with parts.
 */
import { type Bits, countBits, createBits, setAll } from '../../bits.js';
import { termWeight } from '../scoring.js';
import type { RowsOfCode } from '../search.js';
import type { IndexTables } from '../tables.js';
import { stringOf, type Tokenizer } from '../tokenizer.js';
import type { QueryTerm, WordContext } from './expansion.js';
import { keepWithPhrases, MAX_PHRASES } from './phrases.js';
import type { Kernels } from './ranking-kernel.js';

export interface RowList {
  readonly rows: Bits;
  /** The score that the list adds to each of its rows. */
  readonly weight: number;
  /** The words of the query that these rows match without holding them; none where the code is no word of the query. */
  readonly words: readonly string[];
  /** Words that all of the rows hold in their place. */
  readonly parts: readonly string[];
}

interface CodesOfText {
  /** The text without the codes that are no words. */
  readonly text: string;
  readonly lists: readonly RowList[];
  /** The rows with a code behind a minus sign. */
  readonly excluded: readonly Bits[];
}

export const NO_CODES: RowsOfCode = () => new Uint32Array(0);

/** Bounds on the pieces of a text that are looked up, and on their characters. */
const MAX_PIECES = 64;
export const MAX_CODE_UNITS = 200;

/** A piece without quotes and punctuation around it: `(KT-114),` is `KT-114`. */
const CODE_IN_PIECE = /^(-?)["\u201c\u201d\u201e'(]*(.*?)["\u201c\u201d\u201e'),;:!?]*$/su;

/**
 * The codes in a search text: the whole text, or pieces of it between spaces. The words of a code (`kt`, `ins114`, `dre`) are searched
 * as well if there is only one, or records' texts have all of them (`usb-3`); else the code stands for them.
 */
export function codesIn(context: CodeContext, text: string, knows: (word: string) => boolean): CodesOfText {
  const codes = codesOfText(text, (code) => codeIn(context, code, knows));
  return { ...codes, excluded: codes.excluded.map(({ rows }) => rows) };
}

/** The same for any form of a code; `codeIn` gives null where no record has it. */
export function codesOfText<Code extends Pick<RowList, 'words'>>(
  text: string,
  codeIn: (code: string) => Code | null,
): { readonly text: string; readonly lists: readonly Code[]; readonly excluded: readonly Code[] } {
  const wholeTextList = codeIn(text.trim());
  if (wholeTextList !== null)
    return { text: wholeTextList.words.length > 0 ? text : '', lists: [wholeTextList], excluded: [] };
  const lists: Code[] = [];
  const excluded: Code[] = [];
  let pieces = 0;
  const remaining = text.replace(/\S+/g, (piece) => {
    if (pieces++ >= MAX_PIECES || piece.length > MAX_CODE_UNITS) return piece;
    const [, minus, code = ''] = CODE_IN_PIECE.exec(piece) ?? [];
    const list = codeIn(code);
    if (list === null) return piece;
    if (minus === '-') excluded.push(list);
    else lists.push(list);
    return minus !== '-' && list.words.length > 0 ? piece : ' ';
  });
  // A text of nothing but exclusions is plain words.
  if (lists.length === 0 && remaining.trim() === '') return { text, lists, excluded: [] };
  return { text: remaining, lists, excluded };
}

/** The tables and functions by which codes are looked up. */
interface CodeContext {
  readonly tables: IndexTables;
  readonly tokenizer: Tokenizer;
  readonly rowsOfCode: RowsOfCode;
}

/** The rows that have a code; null where none has it. Its words are searched as well if it has one, or if `knows` is true of all. */
function codeIn({ tables, tokenizer, rowsOfCode }: CodeContext, code: string, knows: (word: string) => boolean) {
  if (code === '' || code.length > MAX_CODE_UNITS) return null;
  const rows = rowsOfCode(code);
  if (rows.length === 0) return null;
  const words = wordsInSequence(tokenizer, code);
  const areSearched = words.length === 1 || words.every(knows);
  const list: RowList = {
    rows: createBits(tables.rows),
    weight: termWeight(tables, rows.length),
    words: areSearched ? words : [],
    parts: [],
  };
  setAll(list.rows, rows);
  return list;
}

/** The words of a text that have a position of their own: of `e-mail` the words `e` and `mail`, without the stacked `email`. */
export function wordsInSequence(tokenizer: Tokenizer, text: string): readonly string[] {
  const words: string[] = [];
  tokenizer.tokenize(text, {
    word: (units, length) => void words.push(stringOf(units, length)),
    compound() {},
    tail() {},
  });
  return words;
}

/** A number and letters, in either order: `16gb`, `ps5`. */
const NUMBER_AND_LETTERS = /^(?:(\d[\d.]*)(\p{L}+)|(\p{L}+)(\d[\d.]*))$/u;

/** The number and the letters of such a word, in its order; none of any other. */
export const numberAndLetters = (word: string): readonly string[] =>
  (NUMBER_AND_LETTERS.exec(word) ?? []).slice(1).filter((part) => part !== undefined);

/** For each word of a number and letters: the rows in which both stand side by side. */
export function partedWords(
  { tables, kernels, rules }: WordContext & { readonly kernels: Kernels },
  words: readonly QueryTerm[],
  termOf: (word: string) => number,
): readonly RowList[] {
  const lists = new Map<string, RowList>();
  for (const { word } of words) {
    const parts = numberAndLetters(word.text);
    if (word.quoted || parts.length === 0 || lists.has(word.text) || lists.size === MAX_PHRASES) continue;
    const terms = parts.map(termOf);
    if (terms.includes(-1) || parts.some((part) => rules.isStopWord(part))) continue;
    const rows = kernels.rowsOf(terms.slice(0, 1)).slice();
    keepWithPhrases(tables, kernels, rows, [{ forms: [terms], field: word.field }]);
    const rowCount = countBits(rows);
    if (rowCount > 0) lists.set(word.text, { rows, weight: termWeight(tables, rowCount), words: [word.text], parts });
  }
  return [...lists.values()];
}
