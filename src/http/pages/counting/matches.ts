/**
 * The rows that a query's conditions let pass, as sets of a bit table: each condition alone, all of them together, and
 * all but those of one field. A set costs a pass over its bits for each condition; those of one query are overwritten by the next.
 */
import type { Query } from '../../../query/query.js';
import { bitsSet, type RowSet } from '../../../query/row-set.js';
import type { Collection } from '../../../store/collection.js';
import type { BitTable } from './bit-table.js';

/** A set of the table and how many rows it holds; null stands for every row. */
export type Matches = {
  readonly set: number;
  readonly count: number;
  /** Ascending; listed once. */
  readonly rows: () => Uint32Array;
} | null;

export interface QueryMatches {
  /** What matches all conditions. */
  readonly all: Matches;
  /** What matches all conditions but those of one field; good until it is asked for another. */
  readonly but: (field: string) => Matches;
}

/** The sets that a collection's queries need: each field can have one condition, the text is another. */
export const setsOfQuery = ({ model }: Collection): number =>
  model.fields.filter(({ filter }) => filter !== undefined).length + 3;

/** Uses the table's first sets. */
export function queryMatches(
  table: BitTable,
  collection: Collection,
  query: Query,
  sets: readonly RowSet[],
): QueryMatches {
  const conditions = conditionsOf(collection, query, sets);
  conditions.forEach(({ writeBits }, set) => {
    writeBits(table.bitsOf(set));
  });
  const every = conditions.length;
  const rest = every + 1;
  const within = (sets: readonly number[], into: number): Matches => {
    const [first, second, ...others] = sets;
    if (first === undefined) return null;
    if (second === undefined) return matchesOf(table, first);
    table.intersect(first, second, into);
    for (const other of others) table.intersect(into, other, into);
    return matchesOf(table, into);
  };
  const all = within([...conditions.keys()], every);
  const but = (name: string): Matches => {
    const others = [...conditions.keys()].filter((set) => conditions[set]?.field !== name);
    return others.length === conditions.length ? all : within(others, rest);
  };
  return { all, but };
}

function matchesOf(table: BitTable, set: number): Matches {
  const count = table.count(set);
  let rows: Uint32Array | undefined;
  return {
    set,
    count,
    rows() {
      rows ??= table.membersOf(set, count);
      return rows;
    },
  };
}

interface Condition {
  /** Null for the text. */
  readonly field: string | null;
  readonly writeBits: RowSet['writeBits'];
}

function conditionsOf({ search }: Collection, { text, filters }: Query, sets: readonly RowSet[]): readonly Condition[] {
  const all = text === null ? sets : [...sets, bitsSet(search.matching(text))];
  return all.map(({ writeBits }, i) => ({ field: filters[i]?.field ?? null, writeBits }));
}
