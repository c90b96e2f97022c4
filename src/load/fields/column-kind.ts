/**
 * Of which kind are the values of a column that feeds no documented field? The counts of its profile and the words of its name decide:
 * the first of `KIND_RULES` that holds.
 *
 *     size    1.10, 1.9, 02138    code: a leading zero, and versions
 *     stock   3, 7, 1,200         integer
 */
import { type CollectionModel, type Field, type FieldKind, isNumeric } from '../../model.js';
import { words } from '../../text.js';
import { ColumnProfile } from '../profile/column-profile.js';
import type { KindCounts } from '../profile/kind-counts.js';
import type { TextCounts } from '../profile/text-counts.js';
import { nameKey, type Path, wordsOfName } from '../values/paths.js';
import { isMost } from '../values/texts.js';
import { COORDINATE_WORDS } from '../values/values.js';
import { aliasesIn } from './vocabulary.js';

/** `json`: a value that has no scalar form, such as a list of objects, is kept as it came and only shown. */
export type FoundKind = Exclude<FieldKind, 'url'>;

export type NumberUnit = Pick<Field, 'isPercent' | 'currency' | 'unit'>;

/** The kind that the values of a column decide, and the unit of its numbers where one was counted. */
export interface DecidedKind {
  readonly kind: FoundKind;
  readonly unit?: NumberUnit | undefined;
}

const MIN_CODE_SHARE = 0.5;

/** The words of a column's name tell codes from amounts. */
interface NameHints {
  /** Its numbers may be codes. */
  readonly isOfCodes: boolean;
  /** Its numbers are codes, whose sum says nothing: `plz`, `phone_number`. */
  readonly isCodeName: boolean;
  /** Its decimals may be versions, of which all digits count. */
  readonly isVersionName: boolean;
  /** Its numbers are amounts or measures. */
  readonly isOfAmounts: boolean;
  readonly isOfCoordinates: boolean;
  /** A cell has several ids: `related_ids`. */
  readonly isOfLists: boolean;
  /** Its numbers count something, and may be abbreviated: `followers` of `3M`. */
  readonly isOfCounts: boolean;
}

const CODE_WORDS = new Set(
  words('code codes sku part parts mpn model serial ref reference isbn asin upc ean gtin hash lot batch version oid'),
);
/** The last word of names of codes, in the languages of the names that feed documented fields. */
const CODE_NAMES = new Set(
  words(
    'code sku isbn isbn10 isbn13 asin upc ean ean8 ean13 gtin mpn barcode imei zip zipcode postcode postalcode postal postale plz postleitzahl cep pincode phone telephone telefon telefono téléphone teléfono telefone tel hotline fax iban siren siret abn konto kontonummer',
  ),
);
/** Words for a number behind such a word: `phone_number`. German writes both as one: `Artikelnummer`. */
const LAST_NUMBER_WORDS = new Set(words('number no nr num id nummer numero número'));
/** The last word of names of versions and classifications, whose last zero counts: `3.10`. */
const VERSION_NAMES = new Set(
  words('version versions release icd icd9 icd10 nace naics isic isco hs dewey account kostenstelle'),
);
/** Words before such a word: `Artikel-Nr.` */
const NUMBERED_WORDS = new Set(words('artikel bestell kunden rechnung rechnungs serien teile auftrags'));
const GERMAN_NUMBER = /\p{L}{3}nummer$/u;

const AMOUNT_WORDS = new Set([
  ...COORDINATE_WORDS,
  ...words(
    'price prices cost costs amount total sum fee tax preis betrag weight length width height depth distance area volume temp temperature percent rate ratio rating score average avg mean gewicht länge breite höhe',
  ),
]);

const COUNT_WORDS = new Set([
  ...AMOUNT_WORDS,
  ...words(
    'count counts num hits orders purchases favorites favourites forks retweets replies fans listeners readers reactions reach impressions parameters params capacity raised valuation worth value gross wage rent prize profit gdp assets followers following subscribers members users people visitors visits views plays streams likes shares downloads installs ratings reviews votes comments posts sales sold stock population inhabitants employees budget revenue turnover income salary funding capital umsatz einwohner mitarbeiter market cap traffic',
  ),
]);

const LIST_NAMES = new Set(words('ids codes skus isbns nos nrs refs related'));

const hintsOf = (name: string): NameHints => {
  const nameWords = wordsOfName(name);
  const [last = '', before = ''] = nameWords.toReversed();
  const isNumbered = LAST_NUMBER_WORDS.has(last);
  const endsIn = (names: ReadonlySet<string>): boolean => names.has(last) || (isNumbered && names.has(before));
  const hasOneOf = (wanted: ReadonlySet<string>): boolean => nameWords.some((word) => wanted.has(word));
  return {
    isCodeName: endsIn(CODE_NAMES) || GERMAN_NUMBER.test(last) || (isNumbered && NUMBERED_WORDS.has(before)),
    isVersionName: endsIn(VERSION_NAMES),
    isOfCodes: hasOneOf(CODE_WORDS),
    isOfCoordinates: nameWords.some((word) => COORDINATE_WORDS.includes(word)),
    isOfLists: LIST_NAMES.has(last),
    isOfAmounts: hasOneOf(AMOUNT_WORDS),
    isOfCounts: hasOneOf(COUNT_WORDS),
  };
};

const areCodes = ({ codes, present }: KindCounts): boolean => codes > MIN_CODE_SHARE * present;

/**
 * Whether the values look like numbers, and are codes: `0049`; `7e3` beside a text or where all are like it; `1.10` beside `1.9`, or in a column
 * of versions; `01.10`.
 */
const areNoNumbers = (
  kinds: KindCounts,
  { isOfCodes, isCodeName, isVersionName, isOfAmounts, isOfCounts }: NameHints,
): boolean =>
  kinds.digitCodes > 0 ||
  (kinds.cutCodes > 0 && (isOfCodes || isCodeName)) ||
  (kinds.bareExponents > 0 &&
    (isOfCodes || kinds.numbers < kinds.present || (!isOfCounts && kinds.bareExponents === kinds.present))) ||
  ((isVersionName || isCodeName) && kinds.decimals.endInZero) ||
  ((kinds.decimals.areVersions || kinds.paddedDecimals > 0) && !isOfAmounts);

/** The kinds of a column of scalars: the first rule that holds decides. */
const KIND_RULES: readonly (readonly [FoundKind, (kinds: KindCounts, hints: NameHints) => boolean])[] = [
  // `{"edited": false}` beside `{"edited": 1192450700}`: each value is kept as it came.
  ['json', ({ booleans, numbers, present }) => booleans > 0 && numbers > 0 && booleans + numbers === present],
  ['boolean', ({ booleans, present }) => isMost(booleans, present)],
  ['date', ({ dates, present }) => isMost(dates, present)],
  ['text', ({ integerLists }, { isOfLists, isOfCounts }) => isOfLists && !isOfCounts && integerLists > 0],
  // A letter behind a longitude is its sign.
  ['text', ({ unit }, { isOfCoordinates }) => isOfCoordinates && unit?.name === 'W'],
  // A single id beyond 2^53 among small ones would be rounded, and become another one.
  ['code', ({ longIntegers, integers, present }) => longIntegers > 0 && isMost(longIntegers + integers, present)],
  [
    'code',
    ({ integers, digitCodes, spacedDigits, present }, { isCodeName }) =>
      isCodeName && isMost(Math.max(integers + spacedDigits, digitCodes), present),
  ],
  ['code', ({ phones, present }, { isOfCounts }) => !isOfCounts && isMost(phones, present)],
  ['code', (kinds, hints) => areNoNumbers(kinds, hints) && areCodes(kinds)],
  ['text', areNoNumbers],
  ['code', ({ unit }, { isOfCounts }) => unit?.mayBeNoScale === true && !isOfCounts],
  ['integer', ({ unit }, { isOfCodes }) => unit?.areIntegers === true && !isOfCodes],
  ['number', ({ unit }, { isOfCodes }) => unit !== undefined && !isOfCodes],
  ['integer', ({ integers, numbers, present }) => isMost(integers, present) && integers === numbers],
  ['number', ({ numbers, percentages, present }) => isMost(numbers, present) || isMost(percentages, present)],
  ['code', areCodes],
];

/** The kind of a column, which most of its values have, else text; undefined where none of them says anything. */
export function foundKind(kinds: KindCounts, name = ''): FoundKind | undefined {
  const { present, objects, lists, areTextsJson, elements } = kinds;
  if (present === 0) return undefined;
  if (objects > 0 || areTextsJson) return 'json';
  if (lists >= present / 2) return kindOfLists(elements);
  const hints = hintsOf(name);
  return KIND_RULES.find(([, holds]) => holds(kinds, hints))?.[0] ?? 'text';
}

/** Lists of texts are texts or codes. Others stay as they came, such as `[13.4, 52.5]`, unless a double cannot hold their numbers. */
function kindOfLists(elements: readonly unknown[]): FoundKind | undefined {
  const kinds = new ColumnProfile(elements).kinds;
  const { present, texts, jsonNumbers, longIntegers } = kinds;
  if (present === 0) return undefined;
  if (longIntegers > 0 && jsonNumbers + texts === present) return 'codes';
  if (texts < present) return 'json';
  return areCodes(kinds) ? 'codes' : 'texts';
}

/** The kind of a field of several files: an integer with a number is a number, any other disagreement is a text. */
export function commonKind(a: FoundKind, b: FoundKind): FoundKind {
  if (a === b) return a;
  const areNumbers = [a, b].every((kind) => kind === 'integer' || kind === 'number');
  return areNumbers ? 'number' : 'text';
}

/** The kind and the unit of a column, by its counts. Words such as `salt-mill` and `tea` are codes where the column is named so: `slug`. */
export function kindOfColumn(
  model: CollectionModel,
  path: Path,
  kinds: KindCounts,
  texts: TextCounts,
): DecidedKind | undefined {
  const kind = foundKind(kinds, String(path.findLast((step) => typeof step === 'string') ?? ''));
  if (kind === undefined) return undefined;
  const isKeyWord = kind === 'text' && isKeyPath(model, path) && texts.areAll('tokens');
  return isKeyWord ? { kind: 'code' } : { kind, unit: isNumeric(kind) ? unitOfNumbers(kinds) : undefined };
}

/** The unit of a column's numbers: per cent, or the unit that most have. */
export function unitOfNumbers({ unit, percentages, present }: KindCounts): NumberUnit | undefined {
  if (isMost(percentages, present)) return { isPercent: true };
  return unit && { unit: unit.name };
}

/** Names of codes that stand for a record, besides those of ids. */
const KEY_NAMES = 'key isbn isbn10 isbn13 asin sku slug ean gtin uuid guid'.split(' ');

/** Whether a column is named as one of codes that stand for records. */
export function isKeyPath(model: CollectionModel, [first = '', ...rest]: Path): boolean {
  const [id] = model.fields;
  const idNames = id === undefined ? [] : [id.name, ...aliasesIn(model, id)].map(nameKey);
  const isWhole = rest.length === 0 || (rest.length === 1 && rest[0] === '$oid');
  return isWhole && [...KEY_NAMES, ...idNames].includes(nameKey(String(first)));
}
