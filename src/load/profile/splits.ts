/**
 * The sign that separates several values in the texts of a column, decided by the sample. The text is served as it is; each of its
 * values can be filtered by, and is counted.
 *
 *     Fiction|Classics    Fiction; Classics    separated
 *     Fiction, Classics                        separated only where Fiction and Classics stand alone in other records,
 *     Action, Drama    Drama    Action         or where parts come again at several places
 *     Boston, MA    Salem, MA                  one value each: the place of each part is the same
 *     Arts &amp; Crafts                        one value: the semicolon ends an entity
 */
import type { Field } from '../../model.js';
import { isCode, isMost, partsOf } from '../values/texts.js';
import { timesOf, type ValueCounts } from '../values/value-counts.js';
import { type CellContext, readCell } from '../values/values.js';

/** The sign between the elements of a list that is served as one text. */
const LIST_SIGN = ', ';
const SPLIT_SIGNS = ['|', ';', ','];
/** A sign in fewer of the values is part of a name, unless what it separates stands alone as well. */
const MIN_SIGN_SHARE = 0.1;
const MIN_ALONE_SHARE = 0.9;
/** An entity, or one that was encoded several times: `&amp;amp;`. No entity has a name of one letter: `R&B;Soul`. */
const ENTITIES = /&(?:amp;)*(?:#\w+|[a-z]\w+);/gi;

/** The sign that separates the values of a field's column, if there is one. Only texts that records are filtered by may hold several. */
export function splitSign(field: Field, counts: ValueCounts, context: CellContext): string | undefined {
  if (field.kind !== 'text' || field.filter?.kind !== 'value') return undefined;
  const textOf = (value: unknown): string => {
    const { value: text } = readCell(field, value, context);
    if (typeof text !== 'string') return '';
    return text.includes('&') ? text.replace(ENTITIES, '&') : text;
  };
  const values = [...counts.keys()];
  const lists = values.filter((value) => Array.isArray(value)).filter(({ length }) => length > 1);
  const elements = lists.flatMap((list) => list.map((element) => textOf([element])));
  if (lists.length > 0) return elements.some((text) => text.includes(',')) ? undefined : LIST_SIGN;
  const texts = new Map<string, number>();
  for (const [value, times] of counts) {
    const text = textOf(value);
    if (text !== '') texts.set(text, (texts.get(text) ?? 0) + times);
  }
  // A found text may be prose with semicolons in it.
  const separatesHere = field.sourcePath === undefined ? separates : separatesFound;
  const mayHold = (sign: string): boolean =>
    (sign !== ',' || field.role !== 'author') && [...texts.keys()].some((text) => text.includes(sign));
  return SPLIT_SIGNS.find((sign) => mayHold(sign) && separatesHere(texts, sign));
}

/** Texts of a column, and how often each stands there. */
type TextTimes = ReadonlyMap<string, number>;

function separates(texts: TextTimes, sign: string): boolean {
  const all = timesOf(texts, () => true);
  const split = timesOf(texts, (text) => partsOf(text, sign).length > 1);
  if (split === 0) return false;
  if (sign !== ',' && split >= MIN_SIGN_SHARE * all) return true;
  const alone = new Set([...texts.keys()].map((text) => text.trim()));
  const ofAloneValues = timesOf(texts, (text) => {
    const parts = partsOf(text, sign);
    return parts.length > 1 && parts.every((part) => alone.has(part));
  });
  return ofAloneValues >= MIN_ALONE_SHARE * split || haveRepeatedParts(texts, sign);
}

/** Semicolons and commas separate values where these come again, and semicolons between codes; prose has no bars. */
function separatesFound(texts: TextTimes, sign: string): boolean {
  if (haveRepeatedParts(texts, sign)) return true;
  const areCodes = () => {
    const parts = [...texts].flatMap(([text, times]) => partsOf(text, sign).map((part) => [part, times] as const));
    return isMost(sumOf(parts.filter(([part]) => isCode(part))), sumOf(parts));
  };
  return (sign === '|' || (sign === ';' && areCodes())) && separates(texts, sign);
}

const sumOf = (parts: readonly (readonly [part: string, times: number])[]): number =>
  parts.reduce((sum, [, times]) => sum + times, 0);

/** Half of the parts come again in other texts. */
const MIN_REPEATED_SHARE = 0.5;
/** The share of repeated parts that stand at several places: first or alone in one text, second in another. */
const MIN_MOVED_SHARE = 0.25;

/**
 * Whether texts have different numbers of parts, and the same parts come again at other places: in `Action, Drama`, `Drama` and
 * `Action`, Drama is the second part and the first.
 */
function haveRepeatedParts(texts: TextTimes, sign: string): boolean {
  const lists = [...texts.keys()].map((text) => partsOf(text, sign));
  if (new Set(lists.map((parts) => parts.length)).size < 2) return false;
  const usesByPart = new Map<string, { times: number; readonly places: Set<number> }>();
  for (const parts of lists)
    for (const [place, part] of parts.entries()) {
      const uses = usesByPart.get(part) ?? { times: 0, places: new Set<number>() };
      uses.times++;
      uses.places.add(place);
      usesByPart.set(part, uses);
    }
  const repeated = [...usesByPart.values()].filter(({ times }) => times > 1);
  const moved = repeated.filter(({ places }) => places.size > 1);
  const separatedParts = lists.filter((parts) => parts.length > 1).flat();
  const repeatedParts = separatedParts.filter((part) => (usesByPart.get(part)?.times ?? 0) > 1);
  return (
    moved.length > 0 &&
    moved.length >= MIN_MOVED_SHARE * repeated.length &&
    repeatedParts.length >= MIN_REPEATED_SHARE * separatedParts.length
  );
}
