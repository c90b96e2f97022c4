/**
 * Places in the sample of a file from which a field may be read: members of objects, usual paths (`offers.price`), trails of
 * breadcrumbs, and the objects that hold the records' own values. Pure functions of the sample's columns.
 */

import { type CollectionModel, type Field, fieldOf, isList, isNumeric } from '../../model.js';
import { innerColumns, objectsIn, type SampledColumns } from '../profile/sampled-columns.js';
import { isRelativeDate } from '../values/dates.js';
import { valueMembersOf } from '../values/members.js';
import { readPercentage } from '../values/numbers.js';
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
} from '../values/paths.js';
import { hasValue, mostAre } from '../values/texts.js';
import { readCell } from '../values/values.js';
import type { CellSource, Mapping, Rank } from './columns.js';
import { vocabularyOf } from './vocabulary.js';

/** Values of a column that decide about its form. */
const TRIED_VALUES = 100;
const MAX_CONTAINER_DEPTH = 3;
/** A column with fewer values, compared with another of the same field, is a special case: `Sale price` beside `Regular price`. */
const MIN_FILLED_SHARE = 0.5;

const MAPPED_PATH_RANK = 0.25;
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
  const containers: Level[] = [];
  for (const column of level.columns.values()) {
    const { name, path, values } = column;
    const objects = objectsIn(values);
    if (objects.length === 0 || objects.length < values.length / 2) continue;
    const columns = innerColumns(column);
    const isContainer = CONTAINERS.has(nameKey(name));
    if (!isContainer && (hasTitle || ![...columns.keys()].some(namesTitle))) continue;
    if (!isContainer && model.fields.some((field) => rankByName(field, name) !== undefined)) continue;
    const baseRank = level.baseRank + CONTAINER_RANK * (containers.length + 1);
    const inner: Level = { prefix: path, baseRank, columns };
    containers.push(inner, ...containersIn(inner, model, rankByName));
  }
  return containers;
}

/** The columns of a file's sample, and what decides about them. */
export interface SampledFile {
  readonly top: Level;
  /** The top level, and those of containers; none where the file is an export of this service. */
  readonly levels: readonly Level[];
  readonly mapping: Mapping;
  readonly rank: Rank;
  /** Ranks the names in containers, of which the mapping knows only paths. */
  readonly rankByName: Rank;
  readonly isCsv: boolean;
}

/** The sources of a field, best first; and the columns of its name that have other values, as its unsuited sources. */
export function sourcesOf(field: Field, file: SampledFile) {
  const { top, levels, mapping, rank, rankByName, isCsv } = file;
  const source = (sourceRank: number, path: Path, isByName = false): CellSource => {
    return { field: field.name, rank: sourceRank, path, text: pathText(path), isByName };
  };
  const nested = [
    ...mappedPaths(field, mapping, top).map(([text, path]) => ({ ...source(MAPPED_PATH_RANK, path), text })),
    ...levels
      .flatMap((level) => [...nestedPaths(field, level, rankByName)])
      .map(([nestedRank, path]) => source(nestedRank, path))
      .filter(({ text }) => !mapping.has(text)),
  ];
  const named = [...top.columns.values()].flatMap((column) => {
    const nameRank = rank(field, column.name);
    return nameRank === undefined ? [] : [{ ...column, nameRank, inner: pathToValues(field, column.values) }];
  });
  const largestCount = Math.max(...named.map(({ values }) => filledCount(values)));
  const byName = named.map(({ name, values, path, nameRank, inner }): CellSource => {
    // An export of this service, of which no level is looked at, has the fields that it names.
    if (mapping.has(name) || levels.length === 0) return source(nameRank, [...path, ...inner], true);
    const why =
      filledCount(values) < MIN_FILLED_SHARE * largestCount
        ? 'most records have none'
        : whyUnsuited(field, values, inner, named.length + nested.length > 1, isCsv);
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

const filledCount = (values: readonly unknown[]): number => values.filter(hasValue).length;

/** The paths by which the mapping feeds a field, as it spells them; a key that is a column's whole name is no path. */
const mappedPaths = (field: Field, mapping: Mapping, { columns }: Level): readonly (readonly [string, Path])[] =>
  [...mapping].flatMap(([key, name]) => {
    const path = name === field.name && !columns.has(key) ? parsePath(key) : undefined;
    return path === undefined || path.length === 1 ? [] : [[key, path]];
  });

/** The paths into members by which a level may feed a field, each with its rank. */
function* nestedPaths(field: Field, level: Level, rankByName: Rank): Iterable<readonly [rank: number, Path]> {
  const { prefix, baseRank, columns } = level;
  if (prefix.length > 0)
    for (const { name, path, values } of columns.values()) {
      const rank = rankByName(field, name);
      const inner = pathToValues(field, values);
      if (rank !== undefined && whyUnsuited(field, values, inner, true, false) === undefined)
        yield [baseRank + rank, [...path, ...inner]];
    }
  const isSingle = field.kind !== 'text' && !isList(field.kind);
  for (const [i, pattern] of (vocabularyOf(field).paths ?? []).entries())
    for (const path of pathsLike(pattern, columns, isSingle)) yield [baseRank + NESTED_RANK + i, [...prefix, ...path]];
  if (field.role === 'category')
    for (const { name, path, values } of columns.values())
      if (CRUMB_NAMES.has(nameKey(name))) yield [baseRank + CRUMBS_RANK, [...path, ...crumbPath(values, columns)]];
}

/** The paths in the sample that match a usual path, and the column of a flattened dump: `price_amount` for `price.amount`. */
function* pathsLike(pattern: string, columns: SampledColumns, isSingle: boolean): Iterable<Path> {
  const steps = parsePath(pattern) ?? [];
  const key = nameKey(pattern);
  for (const { name, values } of columns.values()) {
    if (nameKey(name) === key) yield [name];
    else if (nameKey(name) === nameKey(String(steps[0]))) {
      const paths = values.slice(0, TRIED_VALUES).map((value) => exactPath(steps.slice(1), value, isSingle));
      const path = paths.find((found) => found !== undefined);
      if (path !== undefined) yield [name, ...path];
    }
  }
}

/** The path with the names as a value spells them; undefined where it lacks one. `isSingle`: a list is left by its first element. */
function exactPath(steps: Path, value: unknown, isSingle: boolean): Path | undefined {
  const path: PathStep[] = [];
  let at = value;
  for (const step of steps) {
    if (typeof step === 'string' && Array.isArray(at)) {
      if (isSingle) path.push(0);
      at = at[0];
    }
    const name = typeof step === 'number' ? step : isPlainObject(at) ? nameLike(Object.keys(at), step) : undefined;
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
  // Amounts in hundredths are read with their divisor, and MongoDB names the type of each number.
  const isReadWhole = (name: string) => name === 'divisor' || name.startsWith('$number');
  if (objects.length === 0 || objects.some((object) => Object.keys(object).some(isReadWhole))) return [];
  const usual = valueMembers.flatMap((member) => {
    const names = objects.map((object) => nameLike(Object.keys(object), member));
    const name = names.find((found) => found !== undefined);
    const isUsual = names.filter((found) => found !== undefined).length >= objects.length / 2;
    return name !== undefined && isUsual && objects.some((object) => isPresentScalar(memberOf(object, name)))
      ? [name]
      : [];
  });
  // A member that repeats in one list is the kind of a value, and not the value: `{"name": "subject", "value": "Winter"}`.
  const name = usual.find((found) => !lists.some((list) => repeats(list, found))) ?? usual[0];
  if (name !== undefined || depth > MAX_CONTAINER_DEPTH) return name === undefined ? [] : [name];
  for (const wrapper of WRAPPERS) {
    const inner = pathToValues(
      field,
      objects.flatMap((object) => memberOf(object, wrapper) ?? []),
      depth + 1,
    );
    if (inner.length > 0) return [wrapper, ...inner];
  }
  return [];
}

function repeats(list: readonly unknown[], name: string): boolean {
  const memberValues = list.flatMap((element) => (isPlainObject(element) ? [memberOf(element, name)] : []));
  return new Set(memberValues).size < memberValues.length;
}

const isPresentScalar = (value: unknown): boolean => value !== undefined && value !== null && typeof value !== 'object';

/** Why a column's values are not the field's, whatever its name says. */
function whyUnsuited(
  field: Field,
  values: readonly unknown[],
  inner: Path,
  hasOther: boolean,
  isCsv: boolean,
): string | undefined {
  if (values.length === 0) return undefined;
  const isNamed = field.filter?.kind === 'value';
  if (isNamed && values.every(isNumbers)) return 'its numbers are no names';
  const context = { isCsv, dateOrder: 'month first' as const };
  const isUnreadable = (value: unknown) => readCell(field, value, context).how === 'unreadable';
  // Else all records without an integer id, which are most, would be refused.
  const isId = field.required === true && field.kind === 'integer';
  if (isId && values.filter((value) => isUnreadable(valueAtPath(value, inner))).length > values.length / 2)
    return 'most of its values are no integers';
  if (isId && values.some(hasLeadingZero)) return 'values with leading zeros are codes';
  // Else a record with such an id would be refused, or become another one.
  if (isId && values.some((value) => isLongInteger(valueAtPath(value, inner)))) return 'integers beyond 2^53 are codes';
  if (!isId && hardlyAnyFits(field, values, inner, isUnreadable)) return 'hardly any of its values fits';
  if (!hasOther || inner.length > 0) return undefined;
  const tried = values.slice(0, TRIED_VALUES);
  return tried.every((value) => typeof value === 'object' && isUnreadable(value))
    ? 'its values are objects or lists'
    : undefined;
}

/** With fewer values nothing is said about a column. */
const MIN_TELLING_VALUES = 2;

/**
 * An address, with spaces only behind a scheme (`data:image/svg+xml,%3Csvg xmlns=…`); also a relative one, or a file: `p/1`, `lamp.jpg`,
 * `red lamp.jpg`.
 */
const MAY_BE_ADDRESS = /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/|data:)\S|^\S*[./#?]\S*$|\.\w{3,4}$/i;

/** `red shoe` is no address; `about` is the relative address of a page, and no picture. */
const mayBeAddress = ({ role }: Field, text: string): boolean =>
  MAY_BE_ADDRESS.test(text.trim()) || (role === 'link' && !/\s/.test(text.trim()));

/** `PG-13` and `TV-MA` under `rating`: the column is no such field, and becomes one of its own. */
function hardlyAnyFits(
  field: Field,
  values: readonly unknown[],
  inner: Path,
  isUnreadable: (value: unknown) => boolean,
): boolean {
  const { kind } = field;
  if (!isNumeric(kind) && kind !== 'date' && kind !== 'url') return false;
  const scalars = values.map((value) => valueAtPath(value, inner)).filter(hasValue);
  const fits = (value: unknown): boolean =>
    typeof value === 'object' ||
    (kind === 'url' && typeof value === 'string' ? mayBeAddress(field, value) : !isUnreadable(value)) ||
    (typeof value === 'string' && (readPercentage(value) !== undefined || isRelativeDate(value)));
  return scalars.length >= MIN_TELLING_VALUES && mostAre(scalars, (value) => !fits(value));
}

const isLongInteger = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isInteger(value) && !Number.isSafeInteger(value)
    : typeof value === 'string' && /^\s*\d{16,}\s*$/.test(value) && !Number.isSafeInteger(Number(value));

/** `0049` is another code than `49`. */
const hasLeadingZero = (value: unknown): boolean => typeof value === 'string' && /^0\d/.test(value.trim());

const isNumbers = (value: unknown): boolean =>
  typeof value === 'number' || (Array.isArray(value) && value.every((element) => typeof element === 'number'));

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
  const last = typeof value === 'string' ? crumbsOf(value).at(-1) : Array.isArray(value) ? value.at(-1) : undefined;
  return isPlainObject(last) ? (last.name ?? last.title ?? memberOf(last, 'text')) : last;
}
