/**
 * The plan of a file: which of its columns, or values inside them, feed which field. It is made once, from the file's first
 * records, so that every record of the file is read by the same rules. Sources, best first: the mapping, a field's own name, its
 * aliases, usual paths, the same inside the object that holds each record's values (`data`, `volumeInfo`), guesses.
 */
import {
  type CollectionModel,
  type Field,
  type FieldRole,
  fieldIndex,
  fieldOf,
  hasField,
  isList,
  roleIndex,
} from '../model.js';
import { count, grouped, quote } from '../text.js';
import { bestOf, type ColumnPlan, type ColumnSource, createRank, type Mapping, type Rank } from './columns.js';
import { isRelativeDate } from './dates.js';
import { type FoundColumn, foundColumns } from './found-fields.js';
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

/** Values of a column that decide about its form. */
const TRIED_VALUES = 100;
const MAX_CONTAINER_DEPTH = 3;
/** How many columns a report proposes for a title. */
const MAX_CANDIDATES = 3;
/** A column with fewer values, compared with another of the same field, is a special case: `Sale price` beside `Regular price`. */
const MIN_FILLED_SHARE = 0.5;

export interface Guess {
  readonly row: number;
  readonly from: string;
  readonly stage: GuessStage;
  /** The next column that could be the field. */
  readonly instead?: string | undefined;
}

/** A column of the sample that feeds no field: its path, as a text too, and its values that are not null. */
export interface UnmappedColumn extends Column {
  readonly path: readonly string[];
  readonly text: string;
}

/** A column that has a field's name, and other values. */
export interface Unsuited {
  readonly row: number;
  readonly name: string;
  readonly why: string;
}

export interface Plan extends ColumnPlan {
  readonly guesses: readonly Guess[];
  readonly unsuited: readonly Unsuited[];
  /** The file is an export of this service: its texts are what they are. */
  readonly isOwn: boolean;
  /** Per field the form of its texts. */
  readonly forms: readonly TextForm[];
  /** Possible mistakes of the source: several currencies in a column, several scales. */
  readonly doubts: readonly string[];
  /** The sign of the commonest currency of the prices. */
  readonly currency: string | undefined;
  /** The unmapped columns in the order of the source; those inside of objects that hold the records' values come last. */
  readonly unmapped: readonly UnmappedColumn[];
  /** Per field the values that feed it in the sample, where a text may hold several. */
  readonly splitValues: ReadonlyMap<string, readonly unknown[]>;
  /** The column that says when each record was scraped, where its dates need it. */
  readonly scrapedAt: string | undefined;
  /** The columns, also inside of objects, that feed no field and are not in the mapping: they may become found fields. */
  readonly found: () => readonly FoundColumn[];
  /** Where no column is the title: the columns that could be. */
  readonly titleCandidates: readonly string[];
  /** Paths of the mapping that lead to a value in the sample. */
  readonly metPaths: readonly string[];
  /** The fields that have a source in the sample. */
  readonly fedFields: readonly number[];
}

const NESTED_RANK = 1000;
const CRUMBS_RANK = 900;
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

/** The columns of the sample, or of an object inside its records. */
interface Level {
  readonly prefix: readonly string[];
  readonly baseRank: number;
  readonly columns: ReadonlyMap<string, readonly unknown[]>;
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
  const renames = new Map(
    [...mapping].flatMap(([from, to]) => (to === null || hasField(model, to) ? [] : [[from, to]])),
  );
  const mappedRank = createRank(model, mapping);
  const rankByName = createRank(model, new Map());
  const top: Level = { prefix: [], baseRank: 0, columns: columnsOf(sample) };
  const isOwn = model.isOwn === undefined && isOwnForm(model, sample);
  const levels = isOwn ? [] : [top, ...containersIn(top, rankByName, model, 1)];
  const unsuited: Unsuited[] = [];
  const parts = model.fields.map((): Map<string, Path> => new Map());
  const sources = model.fields.map((): ColumnSource[] => []);
  const names = [...top.columns.keys()];
  const isUnsuited = (field: Field, name: string) =>
    unsuited.some((found) => found.name === name && model.fields[found.row]?.name === field.name);
  const rank: Rank = (field, name) =>
    unsuited.length > 0 && isUnsuited(field, name) ? undefined : mappedRank(field, name);

  for (const [row, field] of model.fields.entries()) {
    const fieldSources = sources[row]!;
    fieldSources.push(...mappedPaths(field, mapping, top));
    for (const level of levels) fieldSources.push(...nestedSources(field, level, rankByName, mapping));
    fieldSources.sort((a, b) => a.rank - b.rank);
    const fittingNames = names.filter((name) => mappedRank(field, name) !== undefined);
    const largestCount = Math.max(...fittingNames.map((name) => filledCount(top.columns.get(name))));
    for (const name of fittingNames) {
      const values = top.columns.get(name) ?? [];
      const part = partOf(field, values);
      if (part.length > 0) parts[row]!.set(name, part);
      const why =
        filledCount(values) < MIN_FILLED_SHARE * largestCount
          ? 'most records have none'
          : unsuitedWhy(field, values, part, fittingNames.length + fieldSources.length > 1, isCsv);
      if (why !== undefined && mapping.get(name) === undefined) unsuited.push({ row, name, why });
    }
  }
  const bestNames = model.fields.map((field) => bestOf(names, (name) => rank(field, name)));
  const isFed = (row: number): boolean => row !== -1 && (sources[row]!.length > 0 || bestNames[row] !== undefined);
  const unmapped = freeColumns(levels, (column) => isTaken(column));
  const guesses = guess(unmapped);
  const fedFields = [...model.fields.keys()].filter(isFed);
  const forms = isOwn ? plainForms(model) : model.fields.map(formOf);
  const prices = currenciesOf(isOwn ? [] : valuesOfRole('price'));
  const otherCollections = isOwn ? [] : ofOtherCollections(model, sample);
  const doubts = [
    ...doubtsOf(model, prices, scalesOf(isOwn ? [] : valuesOfRole('rating'))),
    ...otherCollections.map(
      ({ collection, says, records }) =>
        `${count(records, 'record')} of the first ${grouped(sample.length)} ${records === 1 ? 'says that it is' : 'say that they are'} ${collection} (${says}): a file of their own, or --as ${collection}, reads them so`,
    ),
  ];
  const columnsAndNotes = {
    ...{ parts, sources, types, guesses, unsuited, fedFields, isOwn, forms, doubts, unmapped },
    currency: prices[0]?.[0],
    titleCandidates: titleCandidates(),
    found: () => foundColumns(top.columns, isReadFrom(), renames),
    scrapedAt: scrapedAt(),
    splitValues: new Map(
      model.fields.flatMap((field, row) => (maySplit(field) ? [[field.name, valuesOf(row)] as const] : [])),
    ),
  };
  return { model, rank, ...columnsAndNotes, metPaths: metPaths(mapping, top) };

  /** The column with the time of scraping, from which `3 hours ago` counts; undefined where no date needs it. */
  function scrapedAt(): string | undefined {
    const dates = isOwn ? [] : model.fields.flatMap(({ kind }, row) => (kind === 'date' ? valuesOf(row) : []));
    const isNeeded = dates.some((value) => typeof value === 'string' && isRelativeDate(value));
    return isNeeded ? names.find((name) => SCRAPE_TIMES.has(nameKey(name))) : undefined;
  }

  /** A test of paths: a field is read from the path as a whole, or the mapping names it. */
  function isReadFrom(): (path: readonly string[]) => boolean {
    const sourceTexts = new Set(mapping.keys());
    for (const row of fedFields) {
      const { first, path } = sourceOf(model.fields[row]!, row);
      sourceTexts.add(pathText([first, ...path]));
    }
    return (path) => sourceTexts.has(pathText(path));
  }

  function titleCandidates(): readonly string[] {
    const row = roleIndex(model, 'title');
    if (row === -1 || isFed(row)) return [];
    const isText = ({ values }: UnmappedColumn) => values.every((value) => typeof value === 'string');
    const columns = unmapped.filter((column) => isText(column) && fits(model.fields[row]!, column, isCsv));
    return columns.slice(0, MAX_CANDIDATES).map(({ text }) => text);
  }

  function valuesOf(row: number): readonly unknown[] {
    return sourceOf(model.fields[row]!, row).values;
  }

  function valuesOfRole(role: FieldRole): readonly unknown[] {
    const row = roleIndex(model, role);
    return row === -1 ? [] : valuesOf(row);
  }

  /** A field's source in the sample: the name of a column, the path inside it, and the values there. */
  function sourceOf(field: Field, row: number) {
    const name = bestNames[row];
    const [nested] = sources[row]!;
    const isNested = nested !== undefined && (name === undefined || nested.rank < (rank(field, name) ?? 0));
    const first = isNested ? nested.top : (name ?? '');
    const path = isNested ? nested.path : (parts[row]!.get(first) ?? []);
    const values = (top.columns.get(first) ?? []).map((value) => valueAt(value, path));
    return { first, path, values };
  }

  function formOf(field: Field, row: number): TextForm {
    if (field.kind === 'url') return options.baseUrl === undefined ? 'plain' : 'address';
    const { first, path, values } = sourceOf(field, row);
    const neighbourNames = levels.flatMap(({ prefix, columns }) =>
      prefix.length === 0 || prefix[0] === first ? [...columns.keys()] : [],
    );
    const last = path.findLast((step) => typeof step === 'string') ?? first;
    const form = textForm(field, String(last), neighbourNames, values);
    return form === 'html' && options.keepsHtml ? (field.detailOnly ? 'plain' : 'entities') : form;
  }

  /** Guesses for each field that has no source yet, the surest of all fields first; takes their columns from `free`. */
  function guess(free: UnmappedColumn[]): Guess[] {
    const newGuesses: Guess[] = [];
    for (const stage of GUESS_STAGES)
      for (const [row, field] of model.fields.entries()) {
        // A record without a title takes the first words of its content.
        const isTitled = field.role === 'title' && stage !== 'words' && isFed(roleIndex(model, 'body'));
        if (isFed(row) || isTitled) continue;
        const column = guessColumn(field, free, isCsv, stage, sample.length);
        if (column === undefined) continue;
        free.splice(free.indexOf(column), 1);
        const [first = '', ...rest] = column.path;
        sources[row]!.push({
          rank: GUESS_RANK,
          top: first,
          path: [...rest, ...partOf(field, column.values)],
          text: column.text,
        });
        const instead = guessColumn(field, free, isCsv, stage, sample.length)?.text;
        newGuesses.push({ row, from: column.text, stage, instead });
      }
    return newGuesses;
  }

  /** Whether a column feeds a field already, was mapped, or has a field's name and the wrong values. */
  function isTaken({ path, text }: UnmappedColumn): boolean {
    const [first = ''] = path;
    if (mapping.has(text) || (path.length === 1 && unsuited.some(({ name }) => name === first))) return true;
    return model.fields.some((_, row) => {
      const [best] = sources[row]!;
      const bestName = bestNames[row];
      if (bestName !== undefined) return path.length === 1 && bestName === first;
      return best?.top === first && (best.path.length === 0 || best.path[0] === path[1]);
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

const filledCount = (values: readonly unknown[] = []): number => values.filter((value) => value !== '').length;

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

function columnsOf(sample: readonly SampleRecord[]): ReadonlyMap<string, readonly unknown[]> {
  const columns = new Map<string, unknown[]>();
  for (const { names, cells } of sample.slice(0, SAMPLE_RECORDS))
    for (const [i, name] of names.entries()) {
      const values = columns.get(name);
      const isNew = values === undefined && columns.size < MAX_NAMES;
      const list = values ?? [];
      if (isNew) columns.set(name, list);
      if (cells[i] !== null && cells[i] !== undefined) list.push(cells[i]);
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
  for (const [name, values] of level.columns) {
    const objects = values.filter(isPlainObject);
    if (objects.length === 0 || objects.length < values.length / 2) continue;
    const columns = columnsOf(sampleOf(objects));
    if (!CONTAINERS.has(nameKey(name)) && (hasTitle || ![...columns.keys()].some(namesTitle))) continue;
    if (model.fields.some((field) => rankByName(field, name) !== undefined && !CONTAINERS.has(nameKey(name)))) continue;
    const baseRank = level.baseRank + CONTAINER_RANK * (containers.length + 1);
    const inner: Level = { prefix: [...level.prefix, name], baseRank, columns };
    containers.push(inner, ...containersIn(inner, rankByName, model, depth + 1));
  }
  return containers;
}

function planned(rank: number, path: Path): ColumnSource {
  const [top = '', ...rest] = path;
  return { rank, top: String(top), path: rest, text: pathText(path) };
}

/** The sources that the mapping gives a field by a path; a key that is a column's whole name is no path. */
function mappedPaths(field: Field, mapping: Mapping, { columns }: Level): readonly ColumnSource[] {
  return [...mapping].flatMap(([key, name]) => {
    const path = name === field.name && !columns.has(key) ? parsePath(key) : undefined;
    return path === undefined || path.length === 1 ? [] : [{ ...planned(0, path), text: key }];
  });
}

function metPaths(mapping: Mapping, { columns }: Level): readonly string[] {
  return [...mapping.keys()].filter((key) => {
    const [first = '', ...rest] = parsePath(key) ?? [];
    return rest.length > 0 && columns.get(String(first))?.some((value) => (valueAt(value, rest) ?? null) !== null);
  });
}

function nestedSources(field: Field, level: Level, rankByName: Rank, mapping: Mapping): readonly ColumnSource[] {
  const { prefix, baseRank, columns } = level;
  const fieldSources: ColumnSource[] = [];
  const add = (rank: number, path: Path): void => {
    const source = planned(baseRank + rank, [...prefix, ...path]);
    if (!mapping.has(source.text)) fieldSources.push(source);
  };
  if (prefix.length > 0)
    for (const [name, values] of columns) {
      const rank = rankByName(field, name);
      const part = partOf(field, values);
      if (rank !== undefined && unsuitedWhy(field, values, part, true, false) === undefined) add(rank, [name, ...part]);
    }
  const isSingle = field.kind !== 'text' && !isList(field.kind);
  for (const [i, pattern] of (field.paths ?? []).entries())
    for (const path of pathsLike(pattern, columns, isSingle)) add(NESTED_RANK + i, path);
  if (field.role === 'category')
    for (const [name, values] of columns)
      if (CRUMB_NAMES.has(nameKey(name))) add(CRUMBS_RANK, crumbPath(name, values, columns));
  return fieldSources;
}

/** The paths in the sample that match a usual path, and the column of a flattened dump: `price_amount` for `price.amount`. */
function* pathsLike(pattern: string, columns: Level['columns'], isSingle: boolean): Iterable<Path> {
  const steps = parsePath(pattern) ?? [];
  const key = nameKey(pattern);
  for (const [name, values] of columns) {
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

/** The path to the category in a trail of breadcrumbs: the last crumb, or the last but one where the last is the record's title. */
function crumbPath(name: string, values: readonly unknown[], columns: Level['columns']): Path {
  const list = values.some((value) => isPlainObject(value) && Array.isArray(memberOf(value, LINKED_CRUMBS)))
    ? [LINKED_CRUMBS]
    : [];
  const titles = new Set(
    [...columns]
      .filter(([key]) => ['title', 'name', 'producttitle', 'productname'].includes(nameKey(key)))
      .flatMap(([, found]) => found),
  );
  const lasts = values.map((value) => lastCrumb(valueAt(value, list)));
  const isTitle = lasts.filter((last) => titles.has(last)).length > lasts.length / 2;
  return [name, ...list, isTitle ? -2 : -1];
}

function lastCrumb(value: unknown): unknown {
  const last = typeof value === 'string' ? crumbsOf(value).at(-1) : Array.isArray(value) ? value.at(-1) : undefined;
  return isPlainObject(last) ? (last.name ?? last.title ?? memberOf(last, 'text')) : last;
}

function freeColumns(levels: readonly Level[], isTaken: (column: UnmappedColumn) => boolean): UnmappedColumn[] {
  return levels.flatMap(({ prefix, columns }) =>
    [...columns].flatMap(([name, values]) => {
      const path = [...prefix, name];
      const column = { name, values, path, text: pathText(path) };
      return isTaken(column) ? [] : [column];
    }),
  );
}

/** The plan for the fields of `some`: fields of the plan's model, which may be optional or texts there, and found fields. */
export function planFor(
  { parts, sources, forms, rank, model, types, scrapedAt, found }: Plan,
  some: CollectionModel,
): ColumnPlan & Pick<Plan, 'forms'> {
  const rows = some.fields.map(({ name, sourcePath }) => (sourcePath === undefined ? fieldIndex(model, name) : -1));
  const of = <T>(all: readonly T[], ofFound: (path: Path, field: Field | undefined) => T): readonly T[] =>
    rows.map((row, i) => (row === -1 ? ofFound(some.fields[i]?.sourcePath ?? [], some.fields[i]) : all[row]!));
  // Found texts stay as they came; a found percentage is a number: `15%` is 15.
  const formOfFound = (path: Path, field: Field | undefined): TextForm => {
    const column =
      field?.kind === 'number' ? found().find((each) => pathText(each.path) === pathText(path)) : undefined;
    return column === undefined || field === undefined ? 'plain' : textForm(field, '', [], column.values);
  };
  return {
    model: some,
    rank: (field, name) => (field.sourcePath === undefined ? rank(field, name) : undefined),
    types,
    scrapedAt,
    parts: of(parts, () => new Map()),
    sources: of(sources, (path) => [planned(0, path)]),
    forms: of(forms, formOfFound),
  };
}

/** The plan's decisions that a user may want otherwise, as lines of the report. */
export function planNotes(plan: Plan, mapping: string): readonly string[] {
  const { model, guesses, unsuited, forms } = plan;
  const nameOf = (row: number) => model.fields[row]?.name ?? '';
  return [
    ...guesses.map((guess) => guessText(model, guess, mapping)),
    ...unsuited.map(({ row, name, why }) => `${nameOf(row)}: not read from ${quote(name)}: ${why}`),
    ...forms.flatMap((form, row) => (form === 'html' ? [`${nameOf(row)}: HTML made text; --html keep leaves it`] : [])),
  ];
}

/** `rating: guessed from "User Rating"; {"User Rating": null} in products.mapping.json keeps it out`. */
export function guessText(model: CollectionModel, { row, from, stage, instead }: Guess, mapping: string): string {
  const { name, required } = model.fields[row]!;
  const source = stage === 'values' ? `the values of ${quote(from)}` : quote(from);
  // A record needs its title: another column has to be it.
  const overrule =
    required && instead !== undefined
      ? `${JSON.stringify({ [instead]: name })} in ${mapping} reads another column`
      : `${JSON.stringify({ [from]: null })} in ${mapping} keeps it out`;
  return `${name}: guessed from ${source}; ${overrule}`;
}
