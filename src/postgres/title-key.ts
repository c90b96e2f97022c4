/**
 * Titles as bytes that sort as `Intl.Collator('en')` does, by which memory sorts them: a collator of the database is of another version,
 * and orders quotation marks otherwise. The key has the primary weights of all characters, then their accents, then their cases, as the
 * Unicode Collation Algorithm has them (Unicode Technical Standard #10, section 4). Scripts that reorder characters, such as Thai, are
 * ordered by these as they stand.
 */

/** Characters whose order is that of their code points, behind the first one of their kind: Hangul, and Han. */
const IN_CODE_POINT_ORDER = ['\uac00-\ud7a3', '\u4e00-\u9fff', '\u3400-\u4dbf'].map((range) => ({
  first: range.charAt(0),
  isOne: new RegExp(`[${range}]`),
}));
/** Letters that weigh as two others with an accent between them: `æ` stands behind `ae` and before `af`. */
const LIGATURES = ['æae', 'ÆAE', 'œoe', 'ŒOE', 'ßss', 'ẞSS'];
const LIGATURE_ACCENT = '\uffff';
const BEYOND_ASCII_TITLE = /[^\0-\x7f]/;

/** By character: what it adds to each of the three levels of a key. */
type Weights = ReadonlyMap<string, readonly [primary: string, accent: string, variant: string]>;

/** Primary weights are characters behind this one; the sign between levels is below all of them. */
const FIRST_WEIGHT = 2;
const LEVEL = '\x01';
/** The accent and the case of plain letters; behind the last other one they add nothing to an order. */
const PLAIN = ' ';
const PLAIN_END = / +$/;
/** The second character of the weights of those that stand between two of ASCII. */
const FIRST_BETWEEN = 0x100;

/** Takes a quarter of a second, once: 25,000 characters are sorted by the collator. */
function weightsOfCharacters(): Weights {
  const { compare: base } = new Intl.Collator('en', { sensitivity: 'base' });
  const { compare: accent } = new Intl.Collator('en', { sensitivity: 'accent' });
  const { compare: variant } = new Intl.Collator('en', { sensitivity: 'variant' });
  const isWeighed = (character: string): boolean =>
    !/[\p{Cn}\p{Co}\p{Cs}]/u.test(character) && !IN_CODE_POINT_ORDER.some(({ isOne }) => isOne.test(character));
  const codePoints = [...keyRange(0, 0xfb00), ...keyRange(0x1f000, 0x1fb00)];
  const characters = [
    ...codePoints.map((point) => String.fromCodePoint(point)).filter(isWeighed),
    ...IN_CODE_POINT_ORDER.map(({ first }) => first),
  ];
  const weights = new Map<string, readonly [string, string, string]>();
  // Characters of ASCII have short weights: `~` 60, those between it and `0` 61 with a second character, `0` 62.
  let [primary, between] = [FIRST_WEIGHT, 0];
  const startPrimary = (isAscii: boolean): void => {
    if (isAscii || between === 0) primary++;
    between = isAscii ? 0 : between + 1;
  };
  const plain = PLAIN.charCodeAt(0);
  let [secondary, tertiary, before] = [plain, plain, ''];
  for (const character of characters.sort(variant)) {
    if (base(before, character) !== 0) {
      startPrimary(!BEYOND_ASCII_TITLE.test(character));
      [secondary, tertiary] = [plain, plain];
    } else if (accent(before, character) !== 0) [secondary, tertiary] = [secondary + 1, plain];
    else if (variant(before, character) !== 0) tertiary++;
    const isIgnored = base('', character) === 0;
    weights.set(character, [
      isIgnored ? '' : String.fromCodePoint(primary, ...(between === 0 ? [] : [FIRST_BETWEEN + between])),
      String.fromCodePoint(secondary),
      String.fromCodePoint(tertiary),
    ]);
    before = character;
  }
  const level = (letter: string | undefined, i: number): string => weights.get(letter ?? '')?.[i] ?? '';
  for (const [letter = '', first, second] of LIGATURES)
    weights.set(letter, [
      level(first, 0) + level(second, 0),
      level(first, 1) + LIGATURE_ACCENT + level(second, 1),
      level(first, 2) + PLAIN + level(second, 2),
    ]);
  return weights;
}

function* keyRange(from: number, to: number): Iterable<number> {
  for (let point = from; point < to; point++) yield point;
}

/** The key of a title. */
export function titleKey(title: string): string {
  const weights = sharedWeights();
  const text = BEYOND_ASCII_TITLE.test(title) ? title.normalize('NFKC') : title;
  let [primaries, accents, variants] = ['', '', ''];
  for (const character of text) {
    const characterWeights = weights.get(character);
    if (characterWeights === undefined) primaries += (weights.get(kindOf(character))?.[0] ?? '') + character;
    else {
      primaries += characterWeights[0];
      accents += characterWeights[1];
      variants += characterWeights[2];
    }
  }
  return [primaries, accents.replace(PLAIN_END, ''), variants.replace(PLAIN_END, '')].join(LEVEL);
}

const kindOf = (character: string): string =>
  IN_CODE_POINT_ORDER.find(({ isOne }) => isOne.test(character))?.first ?? '\u4e00';

let cachedWeights: Weights | undefined;
function sharedWeights(): Weights {
  cachedWeights ??= weightsOfCharacters();
  return cachedWeights;
}
