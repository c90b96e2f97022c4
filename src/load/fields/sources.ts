/**
 * Places in the sample of a file from which a field may be read: members of objects, usual paths (`offers.price`), trails of
 * breadcrumbs, and the objects that hold the records' own values. Pure functions of the sample's columns.
 */

import { type CollectionModel, type Field, fieldOf, isList } from '../../model.js';
import { quote, words } from '../../text.js';
import type { ColumnProfile } from '../profile/column-profile.js';
import { sampleOf } from '../profile/sample.js';
import { columnAt, type SampledColumn, type SampledColumns } from '../profile/sampled-columns.js';
import { areMinorUnits } from '../profile/scales.js';
import { valueMembersOf } from '../values/members.js';
import { CURRENCY_CODES } from '../values/money.js';
import { readAmount } from '../values/numbers.js';
import {
  crumbsOf,
  holdsAddresses,
  isPlainObject,
  memberOf,
  nameKey,
  nameLike,
  type Path,
  type PathStep,
  parsePath,
  pathText,
  valueAtPath,
  wordsOfName,
} from '../values/paths.js';
import { isMost } from '../values/texts.js';
import { type CellSource, MAPPED_PATH_RANK, type Mapping, type Rank } from './columns.js';
import { vocabularyOf } from './vocabulary.js';

/** Values of a column in which paths are looked for. */
const TRIED_VALUES = 100;
const MAX_CONTAINER_DEPTH = 3;
/** A column with fewer values, compared with another of the same field, is a special case: `Sale price` beside `Regular price`. */
const MIN_FILLED_SHARE = 0.5;

// Ranks of places behind those of names; a container's places come behind all of the record's own.
const CRUMBS_RANK = 900;
const NESTED_RANK = 1000;
const CONTAINER_RANK = 10_000;

/** Objects of these names hold the record's own values. */
const CONTAINERS = new Set(
  'data fields attributes node source volumeinfo snippet properties item document doc record product article post story details'.split(
    ' ',
  ),
);
/** The member of JSON-LD's BreadcrumbList that has the crumbs. */
const LINKED_CRUMBS = 'itemListElement';
const CRUMB_NAMES = new Set(['breadcrumb', 'breadcrumbs', 'breadcrumblist', 'breadcrumbtrail', 'categorypath']);

/** The columns of the sample, or of an object inside its records. */
export interface Level {
  readonly prefix: Path;
  readonly baseRank: number;
  readonly columns: SampledColumns;
}

/** The objects that hold the records' values: of a usual name, or with a title where the record itself has none. */
export function containersIn(level: Level, model: CollectionModel, rankByName: Rank): readonly Level[] {
  if (level.prefix.length === MAX_CONTAINER_DEPTH) return [];
  const title = fieldOf(model, 'title');
  const namesTitle = (name: string) =>
    title !== undefined && rankByName(title, name) !== undefined && nameKey(name) !== 'name';
  const hasTitle = [...level.columns.keys()].some(namesTitle);
  const mostValues = Math.max(0, ...[...level.columns.values()].map(({ values }) => values.length));
  const containers: Level[] = [];
  for (const column of level.columns.values()) {
    const { name, path, values } = column;
    const objects = sampleOf(values);
    if (objects.length === 0 || objects.length < values.length / 2) continue;
    const columns = column.members;
    const isContainer = CONTAINERS.has(nameKey(name)) || areLanguages(new Set(columns.keys()));
    if (!isContainer && (hasTitle || ![...columns.keys()].some(namesTitle))) continue;
    // The preview of a linked page, which few posts have, has the title of that page: {"content": "See this", "card": {"title": "Maps"}}.
    if (!isContainer && 2 * objects.length <= mostValues) continue;
    if (!isContainer && model.fields.some((field) => rankByName(field, name) !== undefined)) continue;
    const baseRank = level.baseRank + CONTAINER_RANK * (containers.length + 1);
    const inner: Level = { prefix: path, baseRank, columns };
    containers.push(inner, ...containersIn(inner, model, rankByName));
  }
  return containers;
}

/** The columns of a file's sample, and what decides about them. */
export interface SampledFile {
  readonly model: CollectionModel;
  readonly top: Level;
  /** The top level, and those of containers; none where the file is an export of this service. */
  readonly levels: readonly Level[];
  readonly mapping: Mapping;
  readonly rank: Rank;
  /** Ranks the names in containers, of which the mapping knows only paths. */
  readonly rankByName: Rank;
  readonly isCsv: boolean;
  /** Columns with values of what holds the records: `shop`. */
  readonly heldNames?: ReadonlySet<string> | undefined;
  /** How many records the columns were taken from. */
  readonly records: number;
  /** Whether other records have the ids of the file's (`filesSharingIds`). */
  readonly sharesIds?: boolean | undefined;
  /** Whether names alone decide, and no value is looked at: then it is told where records stand, not what they hold. */
  readonly isByNames?: true;
}

/** The sources of a field, best first; and the columns of its name that have other values, as its unsuited sources. */
export function sourcesOf(field: Field, file: SampledFile) {
  const { top, levels, mapping, rank, rankByName, isCsv, isByNames } = file;
  const source = (sourceRank: number, path: Path, isByName = false): CellSource => {
    return { field: field.name, rank: sourceRank, path, text: pathText(path), isByName };
  };
  const nested = [
    ...mappedPaths(field, mapping, top).map(([text, path]) => ({ ...source(MAPPED_PATH_RANK, path), text })),
    ...levels
      .flatMap((level) => [...nestedPaths(field, level, rankByName, isByNames)])
      .map(([nestedRank, path]) => source(nestedRank, path))
      .filter(({ text }) => !mapping.has(text)),
  ];
  const named = [...top.columns.values()].flatMap((column) => {
    const nameRank = rank(field, column.name);
    return nameRank === undefined ? [] : [{ column, nameRank, inner: pathToValues(field, column.values) }];
  });
  const largestCount = isByNames ? 0 : Math.max(...named.map(({ column }) => column.profile.present));
  const byName = named.map(({ column, nameRank, inner }): CellSource => {
    const { name, path } = column;
    if (mapping.has(name) || isByNames) return source(nameRank, [...path, ...inner], true);
    const why =
      column.profile.present < MIN_FILLED_SHARE * largestCount
        ? 'most records have none'
        : (whyUnsuited(field, column, inner, named.length + nested.length > 1, isCsv) ??
          (field.role === 'id' && file.sharesIds ? SHARED_IDS : undefined) ??
          whyMinorUnits(field, column, top.columns));
    return why === undefined
      ? source(nameRank, [...path, ...inner], true)
      : { ...source(nameRank, path, true), unsuitedWhy: why };
  });
  const isSuited = (one: CellSource): boolean => one.unsuitedWhy === undefined;
  return {
    suited: [...byName.filter(isSuited), ...nested].sort((a, b) => a.rank - b.rank),
    unsuited: byName.filter((one) => !isSuited(one)),
  };
}

/** The paths by which the mapping feeds a field, as it spells them; a key that is a column's whole name is no path. */
const mappedPaths = (field: Field, mapping: Mapping, { columns }: Level): readonly (readonly [string, Path])[] =>
  [...mapping].flatMap(([key, name]) => {
    const path = name === field.name && !columns.has(key) ? parsePath(key) : undefined;
    return path === undefined || path.length === 1 ? [] : [[key, path]];
  });

/** The paths into members by which a level may feed a field, each with its rank. */
function* nestedPaths(
  field: Field,
  level: Level,
  rankByName: Rank,
  isByNames = false,
): Iterable<readonly [rank: number, Path]> {
  const { prefix, baseRank, columns } = level;
  if (prefix.length > 0)
    for (const column of columns.values()) {
      const rank = rankByName(field, column.name);
      const inner = pathToValues(field, column.values);
      if (rank !== undefined && (isByNames || whyUnsuited(field, column, inner, true, false) === undefined))
        yield [baseRank + rank, [...column.path, ...inner]];
    }
  for (const [i, pattern] of (vocabularyOf(field).paths ?? []).entries())
    for (const path of pathsLike(pattern, columns, field)) {
      const inner = pathToValues(field, columnAt(columns, path)?.values ?? []);
      yield [baseRank + NESTED_RANK + i, [...prefix, ...path, ...inner]];
    }
  if (field.role === 'category')
    for (const { name, path, values } of columns.values())
      if (CRUMB_NAMES.has(nameKey(name))) yield [baseRank + CRUMBS_RANK, [...path, ...crumbPath(values, columns)]];
}

/** The paths in the sample that match a usual path, and the column of a flattened dump: `price_amount` for `price.amount`. */
function* pathsLike(pattern: string, columns: SampledColumns, field: Field): Iterable<Path> {
  const steps = parsePath(pattern) ?? [];
  const key = nameKey(pattern);
  for (const { name, values } of columns.values()) {
    if (nameKey(name) === key) yield [name];
    else if (nameKey(name) === nameKey(String(steps[0]))) {
      const paths = values.slice(0, TRIED_VALUES).map((value) => exactPath(steps.slice(1), value, field));
      const path = paths.find((found) => found !== undefined);
      if (path !== undefined) yield [name, ...path];
    }
  }
}

/**
 * The path with the names as a value spells them; undefined where it lacks one. A list is left by its first element, unless the field holds
 * several values; but the rating of the first review is none of the product.
 */
function exactPath(steps: Path, value: unknown, { kind, role }: Field): Path | undefined {
  const path: PathStep[] = [];
  let at = value;
  for (const step of steps) {
    if (typeof step === 'string' && Array.isArray(at)) {
      if (step === role) return undefined;
      if (kind !== 'text' && !isList(kind)) path.push(0);
      at = at[0];
    }
    const names = isPlainObject(at) ? Object.keys(at) : [];
    const name = typeof step === 'number' ? step : nameLike(names, step);
    if (name === undefined) return undefined;
    path.push(name);
    at = valueAtPath(at, [name]);
  }
  return at === undefined || at === null ? undefined : path;
}

/** GraphQL and Strapi have their values inside of these: `edges[].node.name`, `data.attributes.name`. */
const WRAPPERS = ['data', 'attributes', 'edges', 'nodes', 'node'];

/** The path from a column's cells to their values: to a member of objects, to the first of several addresses in a text; else empty. */
export function pathToValues(field: Field, values: readonly unknown[], depth = 1): Path {
  const valueMembers = valueMembersOf(field) ?? [];
  if (field.kind === 'url' && values.some((value) => typeof value === 'string' && holdsAddresses(value))) return [0];
  const lists = values.slice(0, TRIED_VALUES).map((value) => (Array.isArray(value) ? value : [value]));
  const objects = lists.flatMap((list) => list.slice(0, 1)).filter(isPlainObject);
  // Amounts in minor units are read with their divisor, which is another one for each currency; MongoDB names the type of each number.
  const areTyped = objects.some((object) => Object.keys(object).some((name) => name.startsWith('$number')));
  if (objects.length === 0 || areTyped) return [];
  // An object with other names besides tells of a record, and is no list of tags: {"tags": {"name": "Linde", "amenity": "bar"}}.
  const areOneObject = values.every((value) => !Array.isArray(value));
  if (field.role === 'tags' && areOneObject && objects.some((object) => !holdsOneTag(object))) return [];
  if (areMinorUnits(values.map((value): unknown => (Array.isArray(value) ? value[0] : value)))) return [];
  const usual = valueMembers.flatMap((member) => {
    const names = objects.map((object) => nameLike(Object.keys(object), member));
    const name = names.find((found) => found !== undefined);
    const isUsual = names.filter((found) => found !== undefined).length >= objects.length / 2;
    return name !== undefined && isUsual && objects.some((object) => isPresentScalar(memberOf(object, name)))
      ? [name]
      : [];
  });
  // A member that repeats in one list is the kind of a value, and not the value: `{"name": "subject", "value": "Winter"}`.
  const name = usual.find((found) => !lists.some((list) => hasRepeatedValues(list, found))) ?? usual[0];
  if (name !== undefined) return [(field.role === 'price' ? spelledAmount(objects, name) : undefined) ?? name];
  if (depth > MAX_CONTAINER_DEPTH) return [];
  for (const wrapper of WRAPPERS) {
    const inner = pathToValues(
      field,
      objects.flatMap((object) => memberOf(object, wrapper) ?? []),
      depth + 1,
    );
    if (inner.length > 0) return [wrapper, ...inner];
  }
  return firstVariant(field, objects);
}

/** Whether an object has the name of a tag, and besides no more than tells which one it is. */
const holdsOneTag = (object: object): boolean =>
  Object.entries(object).every(
    ([name, member]) => NAMES_OF_TAG.includes(nameKey(name)) || (typeof member === 'object' && member !== null),
  );

const NAMES_OF_TAG = words(
  'id name webtitle title label term value tag displayname fullname text slug url href link scheme type count',
);

const MINOR_UNITS = [100, 1000];
/** Words of members that are another amount: `{"amount": 1000, "was": "$10"}`. */
const OTHER_AMOUNTS = new Set(
  words('was before old regular original list shipping delivery tax vat discount saving deposit'),
);

/** The member that spells the amounts of another one, which are minor units: `{"Amount": 1299, "FormattedPrice": "$12.99"}`. */
function spelledAmount(objects: readonly Readonly<Record<string, unknown>>[], name: string): string | undefined {
  const isSpelledBy = (other: string) => (object: Readonly<Record<string, unknown>>) => {
    const text = memberOf(object, other);
    const { value = 0, money } = typeof text === 'string' ? (readAmount(text) ?? {}) : {};
    return money !== undefined && MINOR_UNITS.some((units) => memberOf(object, name) === Math.round(value * units));
  };
  const isOther = (member: string): boolean => wordsOfName(member).some((word) => OTHER_AMOUNTS.has(word));
  return Object.keys(objects[0] ?? {}).find((member) => !isOther(member) && objects.every(isSpelledBy(member)));
}

/** The path to the first of several languages or currencies: `en` of `{"en": "Cup", "de": "Tasse"}`, `EUR` of `{"EUR": 6.5, "USD": 7.5}`. */
function firstVariant({ kind, role }: Field, objects: readonly Readonly<Record<string, unknown>>[]): Path {
  const names = new Set(objects.flatMap((object) => Object.keys(object)));
  const ofLanguages = kind === 'text' && areLanguages(names);
  const ofCurrencies = role === 'price' && [...names].every((name) => CURRENCY_CODES.has(name));
  const share = (name: string): number => objects.filter((object) => isPresentScalar(memberOf(object, name))).length;
  const [first] = ofLanguages || ofCurrencies ? [...names].sort((a, b) => share(b) - share(a)) : [];
  return first === undefined ? [] : [first];
}

/** Whether all names are tags of languages that have a name: `en`, `pt-BR`. */
function areLanguages(names: ReadonlySet<string>): boolean {
  const areTags = [...names].every((name) => LANGUAGE_TAG.test(name));
  if (!areTags || ![...names].some((name) => !WORDS_LIKE_LANGUAGES.has(name))) return false;
  // The names of languages take a millisecond to load: few columns get here.
  const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return [...names].every((name) => languages.of(name.slice(0, 2)) !== undefined);
}

/** Tags that are rather names of members where they stand alone: an identifier, a number, a flag. */
const WORDS_LIKE_LANGUAGES = new Set(['id', 'no', 'is']);

const LANGUAGE_TAG = /^[a-z]{2}(?:[-_][A-Z]{2})?$/;

function hasRepeatedValues(list: readonly unknown[], name: string): boolean {
  const memberValues = list.flatMap((element) => (isPlainObject(element) ? [memberOf(element, name)] : []));
  return new Set(memberValues).size < memberValues.length;
}

const isPresentScalar = (value: unknown): boolean => value !== undefined && value !== null && typeof value !== 'object';

/** With fewer values nothing is said about a column. */
const MIN_TELLING_VALUES = 2;

/**
 * Why a column's values are not the field's, whatever its name says; undefined where they may be. `inner`: the path to the value inside of
 * the column's values. `hasAlternative`: another column may feed the field, so of this one more is demanded: most values must fit, and not
 * all be objects.
 */
function whyUnsuited(
  field: Field,
  column: SampledColumn,
  inner: Path,
  hasAlternative: boolean,
  isCsv: boolean,
): string | undefined {
  const { profile } = column;
  const values = column.at(inner).profile;
  if (profile.present === 0) return undefined;
  // Categories and authors are found by their names.
  const areNames = field.filter?.kind === 'value';
  if (areNames && profile.values.areAll('numbersAndTheirLists')) return 'its numbers are no names';
  if (field.required === true && field.kind === 'integer') return whyNoIds(field, values, isCsv);
  const unfit = values.present >= MIN_TELLING_VALUES ? values.readAs(field, isCsv).unfit : 0;
  if (isMost(unfit, values.present)) return 'hardly any of its values fits';
  if (hasAlternative && 2 * unfit > values.present) return 'most of its values do not fit';
  // The members of objects become fields of their own, unless records would be refused without them.
  const mayBeNone =
    field.required !== true && profile.present >= MIN_TELLING_VALUES && profile.values.areAll('objects');
  const areStructures = (hasAlternative || mayBeNone) && inner.length === 0 && profile.values.areAll('structures');
  return areStructures && profile.readAs(field, isCsv).unreadable === profile.present
    ? 'its values are objects or lists'
    : undefined;
}

const SHARED_IDS = 'other records have the same values, with other titles or prices';

/** Else records would be refused, or become others: `0049` is another code than `49`. */
function whyNoIds(id: Field, profile: ColumnProfile, isCsv: boolean): string | undefined {
  const longIntegers = profile.values.count('longIntegers');
  if (profile.readAs(id, isCsv).unreadable - longIntegers > profile.present / 2)
    return 'most of its values are no integers';
  if (profile.values.count('leadingZeros') > 0) return 'values with leading zeros are codes';
  return longIntegers > 0 ? 'integers beyond 2^53 are codes' : undefined;
}

/** Names of the scale of amounts, behind what the name of their column begins with: `price_amount`, `price_precision`. */
const SCALE_NAMES = ['precision', 'scale', 'divisor', 'minorunit', 'minorunits', 'fractiondigits'];

/** Numbers of digits, and divisors; a model car has a scale of 43. */
const MINOR_SCALES = [0, 1, 2, 3, 4, 100, 1000];

/** Whole amounts of money whose scale stands in a column beside them; where one is a decimal, they are as they stand. */
function whyMinorUnits({ role }: Field, { name, profile }: SampledColumn, columns: SampledColumns): string | undefined {
  if (role !== 'price') return undefined;
  const key = nameKey(name).replace(/(?:amount|value|price)$/, '');
  const scale = [...columns.values()].find((other) => {
    const neighbourKey = nameKey(other.name);
    return (
      SCALE_NAMES.some((word) => [key + word, nameKey(name) + word].includes(neighbourKey)) &&
      other.values.some((scale) => Number(scale) > 0) &&
      other.values.every((scale) => MINOR_SCALES.includes(Number(scale)))
    );
  });
  const isOfMoney = key !== '' || [...columns.keys()].some((other) => nameKey(other).startsWith('currency'));
  if (scale === undefined || !isOfMoney || profile.kinds.integers < profile.present) return undefined;
  return `its numbers are minor units, as ${quote(scale.name)} shows`;
}

/** The path to the category in trails of breadcrumbs: the last crumb, or the last but one where the last is the record's title. */
function crumbPath(values: readonly unknown[], columns: SampledColumns): Path {
  const list = values.some((value) => isPlainObject(value) && Array.isArray(memberOf(value, LINKED_CRUMBS)))
    ? [LINKED_CRUMBS]
    : [];
  const titles = new Set(
    [...columns.values()]
      .filter(({ name }) => ['title', 'name', 'producttitle', 'productname'].includes(nameKey(name)))
      .flatMap(({ values: titleValues }) => titleValues),
  );
  const lasts = values.map((value) => lastCrumb(valueAtPath(value, list)));
  const isTitle = lasts.filter((last) => titles.has(last)).length > lasts.length / 2;
  return [...list, isTitle ? -2 : -1];
}

function lastCrumb(value: unknown): unknown {
  const crumbs: unknown = typeof value === 'string' ? crumbsOf(value) : value;
  const last: unknown = Array.isArray(crumbs) ? crumbs.at(-1) : undefined;
  return isPlainObject(last) ? (last.name ?? last.title ?? memberOf(last, 'text')) : last;
}
