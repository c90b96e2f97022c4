/**
 * Which of a source's names feed which field. A source names its fields once a file (CSV) or in every record (JSON), mostly
 * in the same order: the columns are remembered for each order of names.
 */
import { type CollectionModel, type Field, isList } from '../model.js';
import { nameKey, type Path, pathText, valueAt } from './paths.js';
import { type RecordTypes, TYPE_NAME } from './sample.js';

/** Source name or path → field, or null to keep it out, from the mapping file beside the dump. It overrules all else. */
export interface Mapping extends ReadonlyMap<string, string | null> {
  /** Whether `4/8/2016` is the fourth of August. */
  readonly dayFirst?: boolean;
}

/** The part of a file's plan that finds the columns of a record; see plan.ts. */
export interface ColumnPlan {
  readonly model: CollectionModel;
  readonly rank: Rank;
  /** Per field and name of a column: the path to the value inside the column's cells. */
  readonly parts: readonly ReadonlyMap<string, Path>[];
  /** Per field the values inside of members that may feed it, best first. */
  readonly sources: readonly (readonly ColumnSource[])[];
  /** Undefined where no record is left out for its type. */
  readonly types?: RecordTypes | undefined;
  /** The name of the time from which relative dates count. */
  readonly scrapedAt?: string | undefined;
}

/** A value inside the member of a record that is named `top`. */
export interface ColumnSource {
  readonly rank: number;
  readonly top: string;
  readonly path: Path;
  readonly text: string;
}

export interface Columns {
  readonly names: readonly string[];
  /** Per field the position of the name that feeds it; -1 where none does. */
  readonly positions: readonly number[];
  /** Per field the path from the cell at that position to the value; empty where the cell is the value. */
  readonly paths: readonly Path[];
  /** Per field whether its values are lists. */
  readonly areLists: readonly boolean[];
  /** Per field the name or path of its source; empty where it has none. */
  readonly sources: readonly string[];
  /** Alternative columns: a name that fits a field too, but less well than the one that feeds it. */
  readonly passedOver: readonly (readonly [row: number, name: string])[];
  /** Undefined where no record is left out for its type. */
  readonly types?: RecordTypes | undefined;
  /** The position of the record's type; -1 where the source has none. */
  readonly typePosition: number;
  /** The position of the time at which the record was scraped; -1 where no date counts from it. */
  readonly scrapedPosition: number;
  /** Records read by these columns so far. */
  records: number;
}

/** How well a name fits a field: 0 is best, undefined not at all. */
export type Rank = (field: Field, name: string) => number | undefined;

export function createRank(model: CollectionModel, mapping: Mapping): Rank {
  const ranks = new Map(model.fields.map((field) => [field.name, fieldRanks(field)]));
  // Callers rank one name for all fields in a row: its key is computed once.
  let lastName = '';
  let lastKey = '';
  return (field, name) => {
    const mapped = mapping.get(name);
    if (mapped !== undefined) return mapped === field.name ? 0 : undefined;
    if (name === field.name) return 1;
    if (name !== lastName) {
      lastName = name;
      // Elasticsearch's `_score` is not a score of the record.
      lastKey = name === '_score' ? '' : nameKey(name);
    }
    return ranks.get(field.name)?.get(lastKey);
  };
}

function fieldRanks({ name, betterNames = [], aliases = [] }: Field): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>(betterNames.map((better) => [nameKey(better), 0.5]));
  for (const [i, alias] of [name, ...aliases].entries())
    if (!ranks.has(nameKey(alias))) ranks.set(nameKey(alias), i + 2);
  return ranks;
}

export function findColumns(
  { model, rank, parts, sources, types, scrapedAt }: ColumnPlan,
  names: readonly string[],
): Columns {
  const passedOver: [number, string][] = [];
  const fitting = fittingNames(model, rank, names);
  const fieldColumns = model.fields.map((_, row) => {
    const fits = fitting[row]!;
    const bestName = bestOf(fits, (fit) => fit.rank);
    const presentSources = sources[row]!.filter(({ top }) => names.includes(top));
    const nested = presentSources.find((source) => bestName === undefined || source.rank < bestName.rank);
    const position = nested ? names.indexOf(nested.top) : (bestName?.position ?? -1);
    for (const fit of fits) if (nested || fit.position !== position) passedOver.push([row, names[fit.position] ?? '']);
    const name = names[position] ?? '';
    const path = nested ? nested.path : (parts[row]?.get(name) ?? NO_PATH);
    return { position, path, source: nested ? nested.text : pathText([name, ...path]) };
  });
  return {
    names,
    positions: fieldColumns.map(({ position }) => position),
    paths: fieldColumns.map(({ path }) => path),
    areLists: model.fields.map(({ kind }) => isList(kind)),
    sources: fieldColumns.map(({ source }) => source),
    passedOver,
    types,
    typePosition: types === undefined ? -1 : names.indexOf(TYPE_NAME),
    scrapedPosition: scrapedAt === undefined ? -1 : names.indexOf(scrapedAt),
    records: 0,
  };
}

/** The item of the lowest rank, the first of equals; undefined where none has a rank. */
export function bestOf<T>(items: readonly T[], rankOf: (item: T) => number | undefined): T | undefined {
  let best: T | undefined;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const rank = rankOf(item);
    if (rank === undefined || rank >= bestRank) continue;
    best = item;
    bestRank = rank;
  }
  return best;
}

interface Fit {
  readonly position: number;
  readonly rank: number;
}

/** Per field the names that fit it, in the order of the source. */
function fittingNames({ fields }: CollectionModel, rank: Rank, names: readonly string[]): readonly (readonly Fit[])[] {
  const fitting = fields.map((): Fit[] => []);
  for (const [position, name] of names.entries())
    for (const [row, field] of fields.entries()) {
      const fieldRank = rank(field, name);
      if (fieldRank !== undefined) fitting[row]!.push({ position, rank: fieldRank });
    }
  return fitting;
}

const NO_PATH: Path = [];

/** A field's value in the cell that feeds it. */
export function valueIn({ paths, areLists }: Columns, field: number, cell: unknown): unknown {
  const path = paths[field]!;
  return path.length === 0 ? cell : valueAt(cell, path, areLists[field]);
}

/** Past this many orders of names all are forgotten, so that dumps with ever new names need no more memory. */
const MAX_ORDERS = 1000;

export interface ColumnFinder {
  find(names: readonly string[]): Columns;
  /** The columns that are still remembered, with their counts; `onForget` was called for all others. */
  readonly known: () => Iterable<Columns>;
}

export function createColumnFinder(plan: ColumnPlan, onForget: (columns: Columns) => void): ColumnFinder {
  const remembered = new Map<string, Columns>();
  let last: Columns = findColumns(plan, []);
  return {
    find(names) {
      if (sameNames(last.names, names)) return last;
      const key = JSON.stringify(names);
      const columns = remembered.get(key);
      if (columns) {
        last = columns;
        return columns;
      }
      if (remembered.size === MAX_ORDERS) {
        for (const columns of remembered.values()) onForget(columns);
        remembered.clear();
      }
      last = findColumns(plan, names);
      remembered.set(key, last);
      return last;
    },
    known: () => remembered.values(),
  };
}

export function sameNames(a: readonly string[], b: readonly string[] | undefined): boolean {
  if (a === b) return true;
  if (a.length !== b?.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
