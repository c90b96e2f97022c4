/**
 * The fields that the files of a collection bring: the columns that feed no documented field, of their common kind (`column-kind.ts`), and
 * the parts of texts that a field of numbers leaves out: the upper ends of ranges, and the currency where a dump has several.
 *
 *     salary    $60k - $80k      salary 60000, salaryTo 80000
 *     price     €5, then $7      price 5, priceCurrency €
 */
import { foundField } from '../../field-kinds.js';
import { type CollectionModel, type Field, type FieldPart, isNumeric } from '../../model.js';
import { OPERATOR_SUFFIX, reservedNames } from '../../names.js';
import { quote } from '../../text.js';
import type { OpenedFile } from '../open-file.js';
import type { ColumnProfile } from '../profile/column-profile.js';
import { splitSign } from '../profile/splits.js';
import { isIdentifier, type Path, pathKey, pathText, wordsOfName } from '../values/paths.js';
import { isMost } from '../values/texts.js';
import { commonKind, type FoundKind, isKeyPath, kindOfColumn, type NumberUnit, unitOfNumbers } from './column-kind.js';
import { createRank, NO_MAPPING } from './columns.js';
import { anyCollection } from './own-collection.js';
import { MAX_FOUND_FIELDS } from './plan.js';

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

/** Codes may stand for records, and numbers and texts of a column that is named so (`isbn`: 9783161484100). */
const mayBeKey = (model: CollectionModel, path: Path, kind: FoundKind): boolean =>
  kind === 'code' || ((isNumeric(kind) || kind === 'text') && isKeyPath(model, path));

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
      unit: { ...(isNumeric(kind) && unitWithCurrency(unit, profile)), ...earlier?.unit },
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

/** Numbers that are mostly amounts of money have the commonest currency, unless they have another unit. A scale, `1.2k`, is none. */
function unitWithCurrency(unit: NumberUnit | undefined, profile: ColumnProfile): NumberUnit | undefined {
  if (unit?.isPercent === true || (unit?.unit ?? '') !== '') return unit;
  const { currencies, money } = profile.amounts;
  const currency = currencies[0]?.[0];
  return currency !== undefined && isMost(money, profile.present) ? { ...unit, currency } : unit;
}

/** The columns of numbers at a path, with the name of the field that they feed. */
interface NumberColumns {
  readonly path: Path;
  readonly name: string;
  /** The column's profiles, of the files that have it. */
  readonly profiles: readonly ColumnProfile[];
  readonly currency?: string | undefined;
}

/** A part of a column, before it has a name. */
interface ColumnPart {
  readonly path: Path;
  readonly part: FieldPart;
  /** The words of its name. */
  readonly words: Path;
  readonly currency?: string | undefined;
}

const LAST_WORDS: Readonly<Record<FieldPart, string>> = { 'upper end': 'to', currency: 'currency' };

/** The columns that feed documented numbers. */
function documentedNumbers(model: CollectionModel, files: readonly OpenedFile[]): readonly NumberColumns[] {
  const columns = new Map<string, NumberColumns & { readonly profiles: ColumnProfile[] }>();
  for (const { plan, mapping } of files)
    for (const field of mapping.isOurExport ? [] : model.fields) {
      const path = plan.fed.get(field.name)?.path;
      const profile = plan.profileOf(field);
      if (path === undefined || profile === undefined || field.kind !== 'number') continue;
      const key = `${field.name} ${pathText(path)}`;
      const column = columns.get(key) ?? { path, name: field.name, profiles: [] };
      columns.set(key, column);
      column.profiles.push(profile);
    }
  return [...columns.values()];
}

/** The parts that the values of some columns have. */
const partsOfColumns = (columns: readonly NumberColumns[]): readonly ColumnPart[] =>
  columns.flatMap(({ path, name, profiles, currency }) =>
    partsIn(profiles).map((part) => ({ path, part, words: [name, LAST_WORDS[part]], currency })),
  );

function partsIn(profiles: readonly ColumnProfile[]): readonly FieldPart[] {
  const hasRanges = profiles.some(({ amounts }) => amounts.hasRanges);
  const currencies = new Set(profiles.flatMap(({ amounts }) => amounts.currencies.map(([name]) => name)));
  return [...(hasRanges ? (['upper end'] as const) : []), ...(currencies.size > 1 ? (['currency'] as const) : [])];
}

/** The field of a part. */
function partField(name: string, { path, part, currency }: ColumnPart): Field {
  const kind = part === 'currency' ? 'text' : 'number';
  const field = foundField(name, kind, `The ${part} in ${pathText(path)} of the dump`);
  return { ...field, sourcePath: path, part, ...(isNumeric(kind) && currency !== undefined && { currency }) };
}
