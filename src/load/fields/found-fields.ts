/**
 * The columns of a file that feed no documented field, as fields of their own: where their values stand, of which kind these are, and
 * what the API calls them. Pure functions of the sample and of names; nothing here reads a file.
 */
import { foundField } from '../../field-kinds.js';
import { type CollectionModel, type Field, isNumeric } from '../../model.js';
import { OPERATOR_SUFFIX, reservedNames } from '../../names.js';
import { quote, words } from '../../text.js';
import type { OpenedFile } from '../open-file.js';
import { ColumnProfile } from '../profile/column-profile.js';
import type { KindCounts } from '../profile/kind-counts.js';
import { splitSign } from '../profile/splits.js';
import type { TextCounts } from '../profile/text-counts.js';
import { isIdentifier, nameKey, type Path, pathKey, pathText, wordsOfName } from '../values/paths.js';
import { isMost } from '../values/texts.js';
import { COORDINATE_WORDS } from '../values/values.js';
import { createRank, type DecidedKind, type FoundKind, NO_MAPPING, type NumberUnit } from './columns.js';
import { anyCollection } from './own-collection.js';
import { documentedNumbers, partField, partsOfColumns } from './parts.js';
import { MAX_FOUND_FIELDS } from './unfed-columns.js';
import { aliasesIn } from './vocabulary.js';

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

/** A column that is to become a field, with the name that its mapping gives. */
interface UnnamedColumn {
  readonly path: Path;
  readonly mappedName?: string | undefined;
}

interface NameLimits {
  /** Names of documented fields and parameters, which no column gets. */
  readonly reserved: ReadonlySet<string>;
  /** Whether a name may not be made of the words of a column. */
  readonly mayNotBeMade?: ((name: string) => boolean) | undefined;
}

/**
 * The names of fields for columns. A column keeps its own name where that is an identifier and free; else its words make one, with a
 * number where that is taken.
 *
 *     brand, list-price, Sale (EUR), price.currency, page
 *     brand, listPrice,  saleEur,    priceCurrency,  page2
 */
export function nameColumns(
  columns: readonly UnnamedColumn[],
  { reserved, mayNotBeMade = () => false }: NameLimits,
): readonly string[] {
  const usedNames = new Set(reserved);
  const all = new Set([...reserved, ...columns.map(({ path: [first] }) => String(first))]);
  // `stock_gte` is a parameter of `stock`.
  const isBound = (name: string) => all.has(name.replace(OPERATOR_SUFFIX, '')) && OPERATOR_SUFFIX.test(name);
  const nameInMapping = ({ path, mappedName }: UnnamedColumn): string | undefined =>
    mappedName ?? (ID_PATHS.includes(pathText(path)) ? 'key' : undefined);
  const ownName = ({ path: [first = '', ...rest] }: UnnamedColumn): string | undefined => {
    const name = String(first);
    return rest.length === 0 && isIdentifier(name) && !isBound(name) ? name : undefined;
  };
  const names = new Map<UnnamedColumn, string>();
  // Names of the mapping are given first, then those of the source, and those that words make last: each is given once.
  for (const nameOf of [nameInMapping, ownName])
    for (const column of columns) {
      const name = names.has(column) ? undefined : nameOf(column);
      if (name === undefined || usedNames.has(name)) continue;
      usedNames.add(name);
      names.set(column, name);
    }
  return columns.map(
    (column) => names.get(column) ?? freeName(camelCase(column.path.join(' ')), usedNames, mayNotBeMade),
  );
}

/** A code in an id's place is called `key`. */
const ID_PATHS = ['id', '_id.$oid'];

/** Names of codes that stand for a record, besides those of ids. */
const KEY_NAMES = 'key isbn isbn10 isbn13 asin sku slug ean gtin uuid guid'.split(' ');

/** Codes may stand for records, and numbers and texts of a column that is named so (`isbn`: 9783161484100). */
const mayBeKey = (model: CollectionModel, path: Path, kind: FoundKind): boolean =>
  kind === 'code' || ((isNumeric(kind) || kind === 'text') && isKeyPath(model, path));

/** Whether a column is named as one of codes that stand for records. */
function isKeyPath(model: CollectionModel, [first = '', ...rest]: Path): boolean {
  const [id] = model.fields;
  const idNames = id === undefined ? [] : [id.name, ...aliasesIn(model, id)].map(nameKey);
  const isWhole = rest.length === 0 || (rest.length === 1 && rest[0] === '$oid');
  return isWhole && [...KEY_NAMES, ...idNames].includes(nameKey(String(first)));
}

/** Whether a mapping may call a found field so. */
export const mayBeFoundName = (model: CollectionModel, name: string): boolean =>
  isIdentifier(name) && !OPERATOR_SUFFIX.test(name) && !reservedNames(model).has(name);

/** Whether a column of a name feeds a documented field: `imageUrl`, `authorName`. */
function createFeedsDocumented(): (name: string) => boolean {
  const rank = createRank(anyCollection, NO_MAPPING);
  return (name) => anyCollection.fields.some((field) => rank(field, name) !== undefined);
}

function freeName(name: string, usedNames: Set<string>, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let n = 2; usedNames.has(free) || isTaken(free); n++) free = `${name}${n}`;
  usedNames.add(free);
  return free;
}

function camelCase(text: string): string {
  const [first = 'column', ...words] = wordsOfName(text);
  const name = [first, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  return isIdentifier(name) ? name : `_${name}`;
}

/**
 * The found fields of a collection: one for each path at which a file has a column that feeds no documented field, in the order of
 * the files. Answers of a documented collection have them on request only.
 */
export function foundFields(model: CollectionModel, files: readonly OpenedFile[]): readonly Field[] {
  const byPath = new Map<string, FoundColumn>();
  for (const { column, mappedName, decidedKind } of files.flatMap(columnsOfFile)) {
    const { path, profile } = column;
    const decided = decidedKind ?? kindOfColumn(model, path, profile.kinds, profile.texts);
    const key = pathKey(path);
    const earlier = byPath.get(key);
    if (decided === undefined || (earlier === undefined && byPath.size === MAX_FOUND_FIELDS)) continue;
    const { kind, unit } = decided;
    byPath.set(key, {
      ...{ path, mappedName, ...earlier },
      kind: commonKind(earlier?.kind ?? kind, kind),
      unit: { ...(isNumeric(kind) && withCurrency(unit, profile)), ...earlier?.unit },
      profiles: [...(earlier?.profiles ?? []), profile],
    });
  }
  const columns = [...byPath.values()];
  const numbers = columns.flatMap(({ path, mappedName: name = path.join(' '), kind, unit, profiles }) =>
    kind === 'number' ? [{ path, name, profiles, currency: unit.currency }] : [],
  );
  const parts = partsOfColumns([...documentedNumbers(model, files), ...numbers]).slice(
    0,
    MAX_FOUND_FIELDS - columns.length,
  );
  const names = nameColumns([...columns, ...parts.map(({ words }) => ({ path: words }))], {
    reserved: reservedNames(model),
    // An export of articles or products is known by its names; any other one is read as a dump is.
    mayNotBeMade: model.isOwn ? createFeedsDocumented() : undefined,
  });
  const fields = columns.map(({ path, kind, unit, profiles: [profile] }, i) => ({
    ...withSplit({ ...foundField(names[i]!, kind, descriptionOf(path, unit)), sourcePath: path }, profile),
    ...(isNumeric(kind) && unit),
    ...(isKeyPath(model, path) && { isNamedAsId: true as const }),
    ...(mayBeKey(model, path, kind) && { mayBeKey: true as const }),
  }));
  const fieldsOfParts = parts.map((part, i) => partField(names[columns.length + i]!, part));
  return [...fields, ...fieldsOfParts].map((field) => ({
    ...field,
    ...(model.isOwn === undefined && { onRequest: true as const }),
  }));
}

/** The columns of one path, with what the files decide about them together. */
interface FoundColumn {
  readonly path: Path;
  /** The column's profile in each file that has it, in the order of the files. */
  readonly profiles: readonly ColumnProfile[];
  readonly mappedName: string | undefined;
  readonly kind: FoundKind;
  readonly unit: NumberUnit;
}

/** The columns of a file that may become fields, with the names that its mapping gives, and the kinds that it or all values decide. */
const columnsOfFile = ({ plan, mapping, later }: OpenedFile) =>
  plan.found.map((column) => {
    const { path, text, profile } = column;
    const mappedKind = mapping.kinds?.get(text);
    return {
      column,
      mappedName: mapping.get(text) ?? undefined,
      decidedKind:
        mappedKind === undefined
          ? later.kinds.get(pathKey(path))
          : { kind: mappedKind, unit: unitOfNumbers(profile.kinds) },
    };
  });

/** The field's description in OpenAPI: `distance of the dump, where numbers have the unit "km"`. */
const descriptionOf = (path: Path, { unit = '' }: NumberUnit): string =>
  `${pathText(path)} of the dump${unit === '' ? '' : `, where numbers have the unit ${quote(unit)}`}`;

/** The field with the sign that separates several values in its texts, if one does. */
function withSplit(field: Field, profile: ColumnProfile | undefined): Field {
  const splitBy = profile && splitSign(field, profile.counts, { isCsv: false, dateOrder: undefined });
  return splitBy === undefined ? field : { ...field, splitBy };
}

/** The unit of a column's numbers: per cent, or the unit that most have. */
function unitOfNumbers({ unit, percentages, present }: KindCounts): NumberUnit | undefined {
  if (isMost(percentages, present)) return { isPercent: true };
  return unit && { unit: unit.name };
}

/** Numbers that are mostly amounts of money have the commonest currency, unless they have another unit. A scale, `1.2k`, is none. */
function withCurrency(unit: NumberUnit | undefined, profile: ColumnProfile): NumberUnit | undefined {
  if (unit?.isPercent === true || (unit?.unit ?? '') !== '') return unit;
  const { currencies, money } = profile.amounts;
  const currency = currencies[0]?.[0];
  return currency !== undefined && isMost(money, profile.present) ? { ...unit, currency } : unit;
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
