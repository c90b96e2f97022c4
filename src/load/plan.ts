/**
 * The plan of a file: what becomes of each of its columns, and of values inside of them. It is made once, from the file's first
 * records, so that every record of the file is read by the same rules. Sources of a field, best first: the mapping, the field's own
 * name, its aliases, usual paths, the same inside the object that holds each record's values (`data`, `volumeInfo`), guesses.
 */
import { type CollectionModel, type Field, type FieldRole, fieldOf, hasField, isList, roleIndex } from '../model.js';
import { count, grouped, quote } from '../text.js';
import { type ColumnPlan, createRank, type Mapping, type Rank, type Source } from './columns.js';
import { isRelativeDate } from './dates.js';
import { type Column, fits, GUESS_STAGES, type GuessStage, guessColumn } from './guesses.js';
import {
  crumbsOf,
  holdsAddresses,
  isPlainObject,
  memberOf,
  nameKey,
  nameLike,
  type Path,
  parsePath,
  pathText,
  type Step,
  valueAt,
} from './paths.js';
import {
  MAX_NAMES,
  ofOtherCollections,
  recordTypes,
  SAMPLE_RECORDS,
  type SampleRecord,
  sampleOf,
  wantedOf,
} from './sample.js';
import { type Counts, currenciesOf, scaleCountsText, scalesOf } from './scales.js';
import { maySplit } from './splits.js';
import { plainForms, type TextForm, textForm } from './text-forms.js';
import { readCell } from './values.js';

/** A collection has no more found fields than these. */
export const MAX_FOUND_FIELDS = 200;
/** Values of a column that decide about its form. */
const TRIED_VALUES = 100;
const MAX_CONTAINER_DEPTH = 3;
/** Objects become found fields down to this depth: `a.b.c` is a field, and an object there stays JSON. */
const MAX_FIELD_DEPTH = 3;
/** How many columns a report proposes for a title. */
const MAX_CANDIDATES = 3;
/** A column with fewer values, compared with another of the same field, is a special case: `Sale price` beside `Regular price`. */
const MIN_FILLED_SHARE = 0.5;

export interface Guess {
  readonly stage: GuessStage;
  /** The next column that could be the field. */
  readonly instead: string | undefined;
}

/** A column that may feed a documented field: the best one does, the others are alternatives. */
export interface SourceColumn extends Source {
  readonly role: 'source';
  readonly guess?: Guess;
}

/** A column that has a documented field's name, and other values. */
export interface UnsuitedColumn {
  readonly role: 'unsuited';
  readonly field: number;
  readonly path: Path;
  readonly text: string;
  readonly why: string;
}

/** A column that feeds no documented field: it may become a field of its own. */
export interface FoundColumn {
  readonly role: 'found';
  readonly path: Path;
  readonly text: string;
  /** The values in the sample that are not null. */
  readonly values: readonly unknown[];
  /** The field's name, if the mapping gives it. */
  readonly name?: string;
}

/** A column of the sample, or a value inside of one, by what becomes of it. */
export type PlannedColumn = SourceColumn | UnsuitedColumn | FoundColumn;

export interface Plan extends ColumnPlan {
  /** The file's columns, once for each field that they may feed. Found columns stand in the order of the source, renamed ones last. */
  readonly columns: readonly PlannedColumn[];
  /** The fields that have a source in the sample, and the best source of each. */
  readonly fed: ReadonlyMap<number, SourceColumn>;
  /** The file is an export of this service: its texts are what they are. */
  readonly isOwn: boolean;
  /** Per field the form of its texts. */
  readonly forms: readonly TextForm[];
  /** Possible mistakes of the source: several currencies in a column, several scales. */
  readonly doubts: readonly string[];
  /** The sign of the commonest currency of the prices. */
  readonly currency: string | undefined;
  /** Per field the values that feed it in the sample, where a text may hold several. */
  readonly splitValues: ReadonlyMap<string, readonly unknown[]>;
  /** Where no column is the title: the columns that could be. */
  readonly titleCandidates: readonly string[];
  /** Paths of the mapping that lead to a value in the sample. */
  readonly metPaths: readonly string[];
}

const MAPPED_PATH_RANK = 0.25;
const CRUMBS_RANK = 900;
const NESTED_RANK = 1000;
const CONTAINER_RANK = 10_000;
const GUESS_RANK = 1_000_000;

/** Objects of these names hold the record's own values. */
const CONTAINERS = new Set(
  'data fields attributes node source volumeinfo snippet properties item document doc record product article post story details'.split(
    ' ',
  ),
);
/** The member of JSON-LD's BreadcrumbList that has the parts. */
const LINKED_CRUMBS = 'itemListElement';
/** Names of the time at which a record was scraped. */
const SCRAPE_TIMES = new Set(
  'scrapedat scrapeat scrapetime scrapedate scrapedate scrapedon scrapetimestamp scrapedtimestamp crawledat crawltime crawldate crawledon crawltimestamp fetchedat fetchtime fetchdate fetchedon retrievedat retrievedon downloadedat extractedat collectedat indexedat'.split(
    ' ',
  ),
);
const CRUMB_NAMES = new Set(['breadcrumb', 'breadcrumbs', 'breadcrumblist', 'breadcrumbtrail', 'categorypath']);

/** A column of the sample, or of the objects in one, with its values that are not null. */
interface SampledColumn extends Column {
  readonly path: readonly string[];
  readonly text: string;
}

type SampledColumns = ReadonlyMap<string, SampledColumn>;

/** The columns of the sample, or of an object inside its records. */
interface Level {
  readonly prefix: readonly string[];
  readonly baseRank: number;
  readonly columns: SampledColumns;
}

export interface PlanOptions {
  readonly model: CollectionModel;
  readonly mapping: Mapping;
  readonly isCsv: boolean;
  /** Whether HTML stays as it is. */
  readonly keepsHtml?: boolean;
  /** The page's address, which completes relative addresses. */
  readonly baseUrl?: string | undefined;
}

export function createPlan(options: PlanOptions, records: readonly SampleRecord[]): Plan {
  const { model, mapping, isCsv } = options;
  const types = recordTypes(model, records);
  const sample = wantedOf(model, records, types);
  const rank = createRank(model, mapping);
  const rankByName = createRank(model, new Map());
  const top: Level = { prefix: [], baseRank: 0, columns: columnsOf(sample) };
  const names = [...top.columns.keys()];
  const isOwn = model.isOwn === undefined && isOwnForm(model, sample);
  const levels = isOwn ? [] : [top, ...containersIn(top, rankByName, model, 1)];
  const unsuited: UnsuitedColumn[] = [];
  const sources = model.fields.map(sourcesOf);
  const isFed = (row: number): boolean => sources[row]?.[0] !== undefined;
  const freeColumns = levels.flatMap(({ columns }) => [...columns.values()]).filter((column) => !isTaken(column));
  guess();
  const fed = new Map(sources.flatMap(([best]) => (best === undefined ? [] : [[best.field, best]])));

  const forms = isOwn ? plainForms(model) : model.fields.map(formOf);
  const prices = currenciesOf(isOwn ? [] : valuesOfRole('price'));
  const doubts = isOwn
    ? []
    : [...doubtsOf(model, prices, scalesOf(valuesOfRole('rating'))), ...otherCollectionDoubts(model, sample)];
  return {
    ...{ model, types, isOwn, fed, forms, doubts, sourcesAt },
    columns: [...sources.flat(), ...unsuited.sort((a, b) => a.field - b.field), ...foundColumns()],
    currency: prices[0]?.[0],
    titleCandidates: titleCandidates(),
    scrapedAt: scrapedAt(),
    splitValues: new Map(
      model.fields.flatMap((field, row) => (maySplit(field) ? [[field.name, valuesOf(row)] as const] : [])),
    ),
    metPaths: metPaths(mapping, top),
  };

  /** The sources of a field, best first; columns of its name with other values are added to `unsuited`. */
  function sourcesOf(field: Field, row: number): SourceColumn[] {
    const source = (sourceRank: number, path: Path, isByName = false): SourceColumn => {
      return { role: 'source', field: row, rank: sourceRank, path, text: pathText(path), isByName };
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
      return nameRank === undefined ? [] : [{ ...column, nameRank, part: partOf(field, column.values) }];
    });
    const largestCount = Math.max(...named.map(({ values }) => filledCount(values)));
    const suited = named.flatMap(({ name, values, path, text, nameRank, part }) => {
      const why =
        filledCount(values) < MIN_FILLED_SHARE * largestCount
          ? 'most records have none'
          : unsuitedWhy(field, values, part, named.length + nested.length > 1, isCsv);
      if (why === undefined || mapping.has(name)) return [source(nameRank, [...path, ...part], true)];
      unsuited.push({ role: 'unsuited', field: row, path, text, why });
      return [];
    });
    return [...suited, ...nested].sort((a, b) => a.rank - b.rank);
  }

  function sourcesAt(name: string): readonly Source[] {
    if (top.columns.has(name)) return sources.flat().filter(({ path }) => path[0] === name);
    return model.fields.flatMap((field, row) => {
      const nameRank = rank(field, name);
      return nameRank === undefined ? [] : [{ field: row, rank: nameRank, path: [name], text: name, isByName: true }];
    });
  }

  /** The column with the time of scraping, from which `3 hours ago` counts; undefined where no date needs it. */
  function scrapedAt(): string | undefined {
    const dates = isOwn ? [] : model.fields.flatMap(({ kind }, row) => (kind === 'date' ? valuesOf(row) : []));
    const isNeeded = dates.some((value) => typeof value === 'string' && isRelativeDate(value));
    return isNeeded ? names.find((name) => SCRAPE_TIMES.has(nameKey(name))) : undefined;
  }

  /**
   * The columns that feed no documented field, objects resolved into their members; behind them those that the mapping renames.
   *
   *     {"price": {"value": 9, "currency": "EUR"}, "brand": "Acme"}, where price.value is fed:
   *     price.currency, brand
   */
  function foundColumns(): readonly FoundColumn[] {
    const readTexts = new Set([...mapping.keys(), ...[...fed.values()].map(({ path }) => pathText(path))]);
    const found: FoundColumn[] = [];
    const visit = ({ path, text, values }: SampledColumn): void => {
      if (readTexts.has(text) || found.length === MAX_FOUND_FIELDS || values.length === 0) return;
      if (path.length < MAX_FIELD_DEPTH && values.every(isPlainObject))
        for (const member of columnsOf(sampleOf(values), path).values()) visit(member);
      else found.push({ role: 'found', path, text, values });
    };
    for (const column of top.columns.values()) visit(column);
    return [...found, ...renamedColumns(model, mapping, top)].slice(0, MAX_FOUND_FIELDS);
  }

  function titleCandidates(): readonly string[] {
    const row = roleIndex(model, 'title');
    if (row === -1 || isFed(row)) return [];
    const isText = ({ values }: SampledColumn) => values.every((value) => typeof value === 'string');
    const columns = freeColumns.filter((column) => isText(column) && fits(model.fields[row]!, column, isCsv));
    return columns.slice(0, MAX_CANDIDATES).map(({ text }) => text);
  }

  function valuesOf(row: number): readonly unknown[] {
    return sourceValues(fed.get(row)?.path);
  }

  function valuesOfRole(role: FieldRole): readonly unknown[] {
    return valuesOf(roleIndex(model, role));
  }

  /** The values at a path in the sample. */
  function sourceValues([first = '', ...rest]: Path = []): readonly unknown[] {
    return (top.columns.get(String(first))?.values ?? []).map((value) => valueAt(value, rest));
  }

  function formOf(field: Field, row: number): TextForm {
    if (field.kind === 'url') return options.baseUrl === undefined ? 'plain' : 'address';
    const path = fed.get(row)?.path ?? [''];
    const neighbourNames = levels.flatMap(({ prefix, columns }) =>
      prefix.length === 0 || prefix[0] === path[0] ? [...columns.keys()] : [],
    );
    const last = path.findLast((step) => typeof step === 'string');
    const form = textForm(field, String(last), neighbourNames, sourceValues(path));
    return form === 'html' && options.keepsHtml ? (field.detailOnly ? 'plain' : 'entities') : form;
  }

  /** Guesses a source for each field that has none yet, the surest of all fields first; takes the columns from `freeColumns`. */
  function guess(): void {
    for (const stage of GUESS_STAGES)
      for (const [row, field] of model.fields.entries()) {
        // A record without a title takes the first words of its content.
        const isTitled = field.role === 'title' && stage !== 'words' && isFed(roleIndex(model, 'body'));
        if (isFed(row) || isTitled) continue;
        const column = guessColumn(field, freeColumns, isCsv, stage, sample.length);
        if (column === undefined) continue;
        freeColumns.splice(freeColumns.indexOf(column), 1);
        const instead = guessColumn(field, freeColumns, isCsv, stage, sample.length)?.text;
        const path = [...column.path, ...partOf(field, column.values)];
        const source = { field: row, rank: GUESS_RANK, path, text: column.text, isByName: false };
        sources[row]!.push({ role: 'source', ...source, guess: { stage, instead } });
      }
  }

  /** Whether a column feeds a field already, is in the mapping, or has a field's name and other values. */
  function isTaken({ path, text }: SampledColumn): boolean {
    const [first, second] = path;
    if (mapping.has(text) || unsuited.some((column) => column.text === text)) return true;
    return sources.some((fieldSources) => {
      const best = fieldSources.find(({ isByName }) => isByName) ?? fieldSources[0];
      if (best?.path[0] !== first) return false;
      return best?.isByName ? second === undefined : best?.path.length === 1 || best?.path[1] === second;
    });
  }
}

function doubtsOf(model: CollectionModel, currencies: Counts, scales: Counts): readonly string[] {
  const doubts: string[] = [];
  if (currencies.length > 1)
    doubts.push(
      `${fieldOf(model, 'price')?.name}: several currencies, none is converted: ${scaleCountsText(currencies, (sign) => sign)}`,
    );
  if (scales.length > 1)
    doubts.push(
      `${fieldOf(model, 'rating')?.name}: several scales, none is converted: ${scaleCountsText(scales, (scale) => `of ${scale}:`)}`,
    );
  return doubts;
}

const otherCollectionDoubts = (model: CollectionModel, sample: readonly SampleRecord[]): readonly string[] =>
  ofOtherCollections(model, sample).map(
    ({ collection, says, records }) =>
      `${count(records, 'record')} of the first ${grouped(sample.length)} ${records === 1 ? 'says that it is' : 'say that they are'} ${collection} (${says}): a file of their own, or --as ${collection}, reads them so`,
  );

const filledCount = (values: readonly unknown[]): number => values.filter((value) => value !== '').length;

/**
 * The form in which this service exports records: every field of a list item under its own name, in the model's order;
 * behind the documented fields those that were found in the dump, of any name.
 */
export function isOwnForm({ fields }: CollectionModel, sample: readonly SampleRecord[]): boolean {
  const order = fields.map(({ name }) => name);
  const required = fields.filter(({ detailOnly }) => !detailOnly).length;
  return sample.length > 0 && sample.every(({ names }) => isOwnOrder(names, order, required));
}

function isOwnOrder(names: readonly string[], order: readonly string[], required: number): boolean {
  const documented = names.filter((name) => order.includes(name));
  const areFirst = documented.every((name, i) => names[i] === name);
  const isListItem = order.slice(0, required).every((name, i) => documented[i] === name);
  const places = documented.map((name) => order.indexOf(name));
  return areFirst && isListItem && places.every((place, i) => i === 0 || place > places[i - 1]!);
}

function columnsOf(sample: readonly SampleRecord[], prefix: readonly string[] = []): SampledColumns {
  const columns = new Map<string, SampledColumn & { readonly values: unknown[] }>();
  for (const { names, cells } of sample.slice(0, SAMPLE_RECORDS))
    for (const [i, name] of names.entries()) {
      let column = columns.get(name);
      if (column === undefined && columns.size < MAX_NAMES) {
        const path = [...prefix, name];
        column = { name, path, text: pathText(path), values: [] };
        columns.set(name, column);
      }
      if (cells[i] !== null && cells[i] !== undefined) column?.values.push(cells[i]);
    }
  return columns;
}

/** The objects that hold the records' values: of a usual name, or with a title where the record itself has none. */
function containersIn(level: Level, rankByName: Rank, model: CollectionModel, depth: number): readonly Level[] {
  if (depth > MAX_CONTAINER_DEPTH) return [];
  const title = fieldOf(model, 'title');
  const namesTitle = (name: string) =>
    title !== undefined && rankByName(title, name) !== undefined && nameKey(name) !== 'name';
  const hasTitle = [...level.columns.keys()].some(namesTitle);
  const containers: Level[] = [];
  for (const { name, path, values } of level.columns.values()) {
    const objects = values.filter(isPlainObject);
    if (objects.length === 0 || objects.length < values.length / 2) continue;
    const columns = columnsOf(sampleOf(objects), path);
    const isContainer = CONTAINERS.has(nameKey(name));
    if (!isContainer && (hasTitle || ![...columns.keys()].some(namesTitle))) continue;
    if (!isContainer && model.fields.some((field) => rankByName(field, name) !== undefined)) continue;
    const baseRank = level.baseRank + CONTAINER_RANK * (containers.length + 1);
    const inner: Level = { prefix: path, baseRank, columns };
    containers.push(inner, ...containersIn(inner, rankByName, model, depth + 1));
  }
  return containers;
}

/** The paths by which the mapping feeds a field, as it spells them; a key that is a column's whole name is no path. */
const mappedPaths = (field: Field, mapping: Mapping, { columns }: Level): readonly (readonly [string, Path])[] =>
  [...mapping].flatMap(([key, name]) => {
    const path = name === field.name && !columns.has(key) ? parsePath(key) : undefined;
    return path === undefined || path.length === 1 ? [] : [[key, path]];
  });

function metPaths(mapping: Mapping, { columns }: Level): readonly string[] {
  return [...mapping.keys()].filter((key) => {
    const [first = '', ...rest] = parsePath(key) ?? [];
    const values = columns.get(String(first))?.values ?? [];
    return rest.length > 0 && values.some((value) => (valueAt(value, rest) ?? null) !== null);
  });
}

/** The columns, or values inside of them, that a mapping gives names of their own: `{"variants[0].sku": "sku"}`. */
const renamedColumns = (model: CollectionModel, mapping: Mapping, { columns }: Level): readonly FoundColumn[] =>
  [...mapping].flatMap(([text, name]) => {
    if (name === null || hasField(model, name)) return [];
    const path = columns.has(text) ? [text] : (parsePath(text) ?? []);
    const [first = '', ...rest] = path;
    const values = (columns.get(String(first))?.values ?? []).flatMap((value) => valueAt(value, rest) ?? []);
    return values.length === 0 ? [] : [{ role: 'found', path, text, values, name }];
  });

/** The paths into members by which a level may feed a field, each with its rank. */
function* nestedPaths(field: Field, level: Level, rankByName: Rank): Iterable<readonly [rank: number, Path]> {
  const { prefix, baseRank, columns } = level;
  if (prefix.length > 0)
    for (const { name, path, values } of columns.values()) {
      const rank = rankByName(field, name);
      const part = partOf(field, values);
      if (rank !== undefined && unsuitedWhy(field, values, part, true, false) === undefined)
        yield [baseRank + rank, [...path, ...part]];
    }
  const isSingle = field.kind !== 'text' && !isList(field.kind);
  for (const [i, pattern] of (field.paths ?? []).entries())
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
      const path = firstPath(steps.slice(1), values, isSingle);
      if (path !== undefined) yield [name, ...path];
    }
  }
}

function firstPath(steps: Path, values: readonly unknown[], isSingle: boolean): Path | undefined {
  for (const value of values.slice(0, TRIED_VALUES)) {
    const path = exactPath(steps, value, isSingle);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** The path with the names as a value spells them; undefined where it lacks one. `isSingle`: a list is left by its first element. */
function exactPath(steps: Path, value: unknown, isSingle: boolean): Path | undefined {
  const path: Step[] = [];
  let at = value;
  for (const step of steps) {
    if (typeof step === 'string' && Array.isArray(at)) {
      if (isSingle) path.push(0);
      at = at[0];
    }
    const name = typeof step === 'number' ? step : isPlainObject(at) ? nameLike(Object.keys(at), step) : undefined;
    if (name === undefined) return undefined;
    path.push(name);
    at = valueAt(at, [name]);
  }
  return at === undefined || at === null ? undefined : path;
}

/** GraphQL and Strapi have their values inside of these: `edges[].node.name`, `data.attributes.name`. */
const WRAPPERS = ['data', 'attributes', 'edges', 'nodes', 'node'];

/** The path from a column's cells to their values: to a member of objects, to the first of several addresses in a text; else empty. */
function partOf(field: Field, values: readonly unknown[], depth = 1): Path {
  const { parts = [] } = field;
  if (field.kind === 'url' && values.some((value) => typeof value === 'string' && holdsAddresses(value))) return [0];
  const lists = values.slice(0, TRIED_VALUES).map((value) => (Array.isArray(value) ? value : [value]));
  const objects = lists.flatMap((list) => list.slice(0, 1)).filter(isPlainObject);
  // Amounts in hundredths are read with their divisor, and MongoDB names the type of each number.
  const isReadWhole = (name: string) => name === 'divisor' || name.startsWith('$number');
  if (objects.length === 0 || objects.some((object) => Object.keys(object).some(isReadWhole))) return [];
  const usual = parts.flatMap((part) => {
    const names = objects.map((object) => nameLike(Object.keys(object), part));
    const name = names.find((found) => found !== undefined);
    const isUsual = names.filter((found) => found !== undefined).length >= objects.length / 2;
    return name !== undefined && isUsual && objects.some((object) => isScalar(memberOf(object, name))) ? [name] : [];
  });
  // A member that repeats in one list is the kind of a value, and not the value: `{"name": "subject", "value": "Winter"}`.
  const name = usual.find((found) => !lists.some((list) => repeats(list, found))) ?? usual[0];
  if (name !== undefined || depth > MAX_CONTAINER_DEPTH) return name === undefined ? [] : [name];
  for (const wrapper of WRAPPERS) {
    const inner = partOf(
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

const isScalar = (value: unknown): boolean => value !== undefined && value !== null && typeof value !== 'object';

/** Why a column's values are not the field's, whatever its name says. */
function unsuitedWhy(
  field: Field,
  values: readonly unknown[],
  part: Path,
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
  if (isId && values.filter((value) => isUnreadable(valueAt(value, part))).length > values.length / 2)
    return 'most of its values are no integers';
  if (isId && values.some(hasLeadingZero)) return 'values with leading zeros are codes';
  if (!hasOther || part.length > 0) return undefined;
  const tried = values.slice(0, TRIED_VALUES);
  return tried.every((value) => typeof value === 'object' && isUnreadable(value))
    ? 'its values are objects or lists'
    : undefined;
}

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
  const lasts = values.map((value) => lastCrumb(valueAt(value, list)));
  const isTitle = lasts.filter((last) => titles.has(last)).length > lasts.length / 2;
  return [...list, isTitle ? -2 : -1];
}

function lastCrumb(value: unknown): unknown {
  const last = typeof value === 'string' ? crumbsOf(value).at(-1) : Array.isArray(value) ? value.at(-1) : undefined;
  return isPlainObject(last) ? (last.name ?? last.title ?? memberOf(last, 'text')) : last;
}

const isSame = (field: Field, planned: Field): boolean =>
  field.name === planned.name && field.sourcePath === planned.sourcePath;

/** The plan for the fields of another model: those of the plan's, which may be optional or texts there, and found fields. */
export function planFor(plan: Plan, model: CollectionModel): ColumnPlan & Pick<Plan, 'forms'> {
  const rows = plan.model.fields.map((planned) => model.fields.findIndex((field) => isSame(field, planned)));
  const foundSources = model.fields.flatMap(({ sourcePath: path }, field) =>
    path === undefined ? [] : [{ field, rank: 0, path, text: pathText(path), isByName: false }],
  );
  // Found texts stay as they came; a found percentage is a number: `15%` is 15.
  const formOfFound = (field: Field): TextForm => {
    const text = pathText(field.sourcePath ?? []);
    const column = plan.columns.find(({ role, path }) => role === 'found' && pathText(path) === text);
    return field.kind === 'number' && column?.role === 'found' ? textForm(field, '', [], column.values) : 'plain';
  };
  return {
    model,
    types: plan.types,
    scrapedAt: plan.scrapedAt,
    sourcesAt: (name) => [
      ...plan.sourcesAt(name).flatMap((source) => {
        const field = rows[source.field]!;
        return field === -1 ? [] : [{ ...source, field }];
      }),
      ...foundSources.filter(({ path }) => path[0] === name),
    ],
    forms: model.fields.map((field, row) => plan.forms[rows.indexOf(row)] ?? formOfFound(field)),
  };
}

/** The plan's decisions that a user may want otherwise, as lines of the report. */
export function planNotes({ model, columns, fed, forms }: Plan, mapping: string): readonly string[] {
  const nameOf = (row: number) => model.fields[row]?.name ?? '';
  return [
    ...[...fed.values()].flatMap((source) => guessText(model, source, mapping) ?? []),
    ...columns.flatMap((column) =>
      column.role === 'unsuited' ? [`${nameOf(column.field)}: not read from ${quote(column.text)}: ${column.why}`] : [],
    ),
    ...forms.flatMap((form, row) => (form === 'html' ? [`${nameOf(row)}: HTML made text; --html keep leaves it`] : [])),
  ];
}

/** `rating: guessed from "User Rating"; {"User Rating": null} in products.mapping.json keeps it out`; undefined where nothing is guessed. */
export function guessText(
  model: CollectionModel,
  { field, text, guess }: SourceColumn,
  mapping: string,
): string | undefined {
  if (guess === undefined) return undefined;
  const { name, required } = model.fields[field]!;
  const source = guess.stage === 'values' ? `the values of ${quote(text)}` : quote(text);
  // A record needs its title: another column has to be it.
  const overrule =
    required && guess.instead !== undefined
      ? `${JSON.stringify({ [guess.instead]: name })} in ${mapping} reads another column`
      : `${JSON.stringify({ [text]: null })} in ${mapping} keeps it out`;
  return `${name}: guessed from ${source}; ${overrule}`;
}
