/**
 * Which of a source's names feed which field. A source names its fields once a file (CSV) or in every record (JSON), mostly
 * in the same order: the answer is kept for each order of names that was seen.
 */
import { type CollectionModel, type Field, isList } from '../model.js';
import { nameKey } from './names.js';
import { type Path, pathText, valueAt } from './paths.js';
import { type RecordTypes, TYPE_NAME } from './record-types.js';

/** Source name or path → field, or null to keep it out, from the mapping file beside the dump; it goes before everything else. */
export interface Mapping extends ReadonlyMap<string, string | null> {
  /** Whether `4/8/2016` is the fourth of August. */
  readonly dayFirst?: boolean;
}

/** What of a file's plan finds the columns of a record; see plan.ts. */
export interface ColumnPlan {
  readonly model: CollectionModel;
  readonly rank: Rank;
  readonly parts: readonly ReadonlyMap<string, Path>[];
  readonly sources: readonly (readonly ColumnSource[])[];
  /** Where records of some types are left out. */
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
  /** For each field the position of its cell; -1 where the source has none. */
  readonly positions: readonly number[];
  /** For each field the path to its value inside that cell; empty where the cell is the value. */
  readonly paths: readonly Path[];
  /** For each field whether its values are lists. */
  readonly areLists: readonly boolean[];
  /** For each field what its source is called: a name or a path; empty where it has none. */
  readonly sources: readonly string[];
  /** Names that fit a field as well, but less well than the one that it is read from: field and name. */
  readonly passedOver: readonly (readonly [row: number, name: string])[];
  /** For each name whether some of its value feeds no field. */
  readonly spare: readonly boolean[];
  /** Where records of some types are left out: which, and the position of the type; -1 where the source has none. */
  readonly types?: RecordTypes | undefined;
  readonly typePosition: number;
  /** The position of the time at which the record was scraped; -1 where its dates do not count from it. */
  readonly scrapedPosition: number;
  /** Records read by these columns so far. */
  records: number;
}

/** How well a name fits a field: 0 is best, undefined not at all. */
export type Rank = (field: Field, name: string) => number | undefined;

export function createRank(model: CollectionModel, mapping: Mapping): Rank {
  const ranks = new Map(model.fields.map((field) => [field.name, fieldRanks(field)]));
  // A name is asked about for one field after the other.
  let asked = '';
  let key = '';
  return (field, name) => {
    const mapped = mapping.get(name);
    if (mapped !== undefined) return mapped === field.name ? 0 : undefined;
    if (name === field.name) return 1;
    if (name !== asked) {
      asked = name;
      // How well a search engine's hit matched its query says nothing of the record.
      key = name === '_score' ? '' : nameKey(name);
    }
    return ranks.get(field.name)?.get(key);
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
  const found = model.fields.map((_, row) => {
    const fit = fitting[row]!;
    const named = bestOf(fit, (found) => found.rank);
    const there = sources[row]!.filter(({ top }) => names.includes(top));
    const nested = there.find((source) => named === undefined || source.rank < named.rank);
    const position = nested ? names.indexOf(nested.top) : (named?.position ?? -1);
    for (const { position: at } of fit) if (nested || at !== position) passedOver.push([row, names[at] ?? '']);
    const name = names[position] ?? '';
    const path = nested ? nested.path : (parts[row]?.get(name) ?? NO_PATH);
    return { position, path, source: nested ? nested.text : pathText([name, ...path]) };
  });
  return {
    names,
    positions: found.map(({ position }) => position),
    paths: found.map(({ path }) => path),
    areLists: model.fields.map(({ kind }) => isList(kind)),
    sources: found.map(({ source }) => source),
    spare: names.map((_, i) => !found.some(({ position, path }) => position === i && path.length === 0)),
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

/** For each field the names that fit it, in their order. */
function fittingNames({ fields }: CollectionModel, rank: Rank, names: readonly string[]): readonly (readonly Fit[])[] {
  const fitting = fields.map((): Fit[] => []);
  for (const [position, name] of names.entries())
    for (const [row, field] of fields.entries()) {
      const found = rank(field, name);
      if (found !== undefined) fitting[row]!.push({ position, rank: found });
    }
  return fitting;
}

const NO_PATH: Path = [];

/** A field's value in the cell that feeds it. */
export function valueIn({ paths, areLists }: Columns, field: number, cell: unknown): unknown {
  const path = paths[field]!;
  return path.length === 0 ? cell : valueAt(cell, path, areLists[field]);
}

/** Forgets what it knows past this many orders of names, so that dumps with ever new names need no more memory. */
const MAX_KNOWN = 1000;

export interface ColumnFinder {
  find(names: readonly string[]): Columns;
  /** All columns that were found and still hold counts; `onForget` was called for the others. */
  readonly known: () => Iterable<Columns>;
}

export function createColumnFinder(plan: ColumnPlan, onForget: (columns: Columns) => void): ColumnFinder {
  const known = new Map<string, Columns>();
  let last: Columns = findColumns(plan, []);
  return {
    find(names) {
      if (sameNames(last.names, names)) return last;
      const key = JSON.stringify(names);
      const found = known.get(key);
      if (found) {
        last = found;
        return found;
      }
      if (known.size === MAX_KNOWN) {
        for (const columns of known.values()) onForget(columns);
        known.clear();
      }
      last = findColumns(plan, names);
      known.set(key, last);
      return last;
    },
    known: () => known.values(),
  };
}

export function sameNames(a: readonly string[], b: readonly string[] | undefined): boolean {
  if (a === b) return true;
  if (a.length !== b?.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
