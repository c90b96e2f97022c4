/**
 * Which of a source's names feed which field. A source names its fields once a file (CSV) or in every record (JSON), mostly
 * in the same order: the answer is kept for each order of names that was seen.
 */
import type { CollectionModel, Field } from '../model.js';

/** Source name → field, from the mapping file beside the dump; it goes before everything else. */
export type Mapping = ReadonlyMap<string, string>;

export interface Columns {
  readonly names: readonly string[];
  /** For each field the position of its cell; -1 where the source has none. */
  readonly positions: readonly number[];
  /** Names that fit a field as well, but less well than the one that it is read from: field and name. */
  readonly passedOver: readonly (readonly [row: number, name: string])[];
  /** Records read by these columns so far; */
  records: number;
  /** how many of them lacked each name. */
  readonly absent: number[];
}

/** Names are compared by their letters and digits alone: `Num-Comments`, `num_comments` and `numComments` are one. */
export const nameKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** How well a name fits a field: 0 is best, undefined not at all. */
export type Rank = (field: Field, name: string) => number | undefined;

export function createRank(model: CollectionModel, mapping: Mapping): Rank {
  const ranks = new Map(model.fields.map((field) => [field.name, fieldRanks(field)]));
  return (field, name) => {
    const mapped = mapping.get(name);
    if (mapped !== undefined) return mapped === field.name ? 0 : undefined;
    return name === field.name ? 1 : ranks.get(field.name)?.get(nameKey(name));
  };
}

function fieldRanks({ name, aliases = [] }: Field): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const [i, alias] of [name, ...aliases].entries())
    if (!ranks.has(nameKey(alias))) ranks.set(nameKey(alias), i + 2);
  return ranks;
}

export function findColumns(model: CollectionModel, rank: Rank, names: readonly string[]): Columns {
  const passedOver: [number, string][] = [];
  const positions = model.fields.map((field, row) => {
    let best = -1;
    let bestRank = Number.POSITIVE_INFINITY;
    for (const [i, name] of names.entries()) {
      const found = rank(field, name);
      if (found !== undefined && found < bestRank) {
        best = i;
        bestRank = found;
      }
    }
    for (const [i, name] of names.entries())
      if (i !== best && rank(field, name) !== undefined) passedOver.push([row, name]);
    return best;
  });
  return { names, positions, passedOver, records: 0, absent: names.map(() => 0) };
}

/** Of each field whether it goes by its own name: 1 or 0. */
export const ownNames = ({ fields }: CollectionModel, { names, positions }: Columns): Uint8Array =>
  Uint8Array.from(fields, ({ name }, field) => (names[positions[field] ?? -1] === name ? 1 : 0));

/** Forgets what it knows past this many orders of names, so that dumps with ever new names need no more memory. */
const MAX_KNOWN = 1000;

export interface ColumnFinder {
  find(names: readonly string[]): Columns;
  /** All columns that were found and still hold counts; `onForget` was called for the others. */
  readonly known: () => Iterable<Columns>;
}

export function createColumnFinder(
  model: CollectionModel,
  rank: Rank,
  onForget: (columns: Columns) => void,
): ColumnFinder {
  const known = new Map<string, Columns>();
  let last: Columns = findColumns(model, rank, []);
  return {
    find(names) {
      if (sameNames(last.names, names)) return last;
      const key = names.join('\u0000');
      const found = known.get(key);
      if (found) {
        last = found;
        return found;
      }
      if (known.size === MAX_KNOWN) {
        for (const columns of known.values()) onForget(columns);
        known.clear();
      }
      last = findColumns(model, rank, names);
      known.set(key, last);
      return last;
    },
    known: () => known.values(),
  };
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
