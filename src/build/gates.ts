/**
 * The gates of a nightly job: conditions on a dump that is to take the place of an earlier one. A shop that renamed a class still gives
 * records, none of which is refused; what is missing are prices.
 *
 *     --min-filled price=95%    products: expected a value in at least 95 % of 1,240 records, found 61 % (756)
 */

import type { LoadReport } from '../load/report/report.js';
import type { GateResult } from '../package.js';
import { count, grouped } from '../text.js';
import type { Turnover } from './compare.js';

/** Shares are from 0 to 1; those of new records may be more. An undefined gate is open. */
export interface Gates {
  /** The least records of each collection. */
  readonly minRecords?: number;
  /** The greatest share of the earlier records that are gone. */
  readonly maxLost?: number;
  /** The most new records, as a share of the earlier ones. */
  readonly maxNew?: number;
  /** The least share of records with a value, by field. */
  readonly minFilled: readonly FilledGate[];
  /** The greatest share of refused records. */
  readonly maxRefused?: number;
}

export interface FilledGate {
  readonly field: string;
  readonly share: number;
}

export const hasGates = ({ minFilled, ...others }: Gates): boolean =>
  minFilled.length > 0 || Object.values(others).some((gate) => gate !== undefined);

/** The counts of a collection, over its files. */
interface CollectionCounts {
  readonly read: number;
  readonly accepted: number;
  readonly refused: number;
  /** Accepted records with a value, by field. */
  readonly filled: ReadonlyMap<string, number>;
}

/** The results of all gates. `turnovers` has the collections of the earlier dump; null where there is none to compare with. */
export function gateResults(
  gates: Gates,
  report: LoadReport,
  turnovers: ReadonlyMap<string, Turnover> | null,
): readonly GateResult[] {
  const collections = countsByCollection(report);
  return [
    ...recordGates(gates, collections),
    ...(turnovers === null ? [] : turnoverGates(gates, turnovers)),
    ...gates.minFilled.flatMap((gate) => filledGates(gate, collections)),
    ...refusalGates(gates, collections),
  ];
}

/** The message names all gates that do not hold, with what they expected and found; null where all hold. */
export function gateFault(results: readonly GateResult[]): string | null {
  const failed = results.filter(({ holds }) => !holds);
  return failed.length === 0 ? null : failed.map(gateText).join('; ');
}

/** `products: --max-lost: expected at most 20 % of 300 earlier records gone, found 35 % (105)` */
export const gateText = ({ collection, gate, expected, found }: GateResult): string =>
  `${collection === null ? '' : `${collection}: `}${gate}: expected ${expected}, found ${found}`;

function countsByCollection({ files }: LoadReport): ReadonlyMap<string, CollectionCounts> {
  const collections = new Map<string, CollectionCounts>();
  for (const { collection, records, accepted, refused, fields } of files) {
    const before = collections.get(collection) ?? { read: 0, accepted: 0, refused: 0, filled: new Map() };
    const filledCounts = new Map(before.filled);
    for (const { field, present } of fields) filledCounts.set(field, (filledCounts.get(field) ?? 0) + present);
    collections.set(collection, {
      read: before.read + records,
      accepted: before.accepted + accepted,
      refused: before.refused + refused,
      filled: filledCounts,
    });
  }
  return collections;
}

type Collections = ReadonlyMap<string, CollectionCounts>;

function recordGates({ minRecords }: Gates, collections: Collections): readonly GateResult[] {
  if (minRecords === undefined) return [];
  const gate = '--min-records';
  const expected = `at least ${count(minRecords, 'record')}`;
  if (collections.size === 0) return [{ gate, collection: null, expected, found: 'no file of records', holds: false }];
  return [...collections].map(([collection, { accepted }]) => ({
    gate,
    collection,
    expected,
    found: grouped(accepted),
    holds: accepted >= minRecords,
  }));
}

const turnoverGates = ({ maxLost, maxNew }: Gates, turnovers: ReadonlyMap<string, Turnover>): readonly GateResult[] =>
  [...turnovers].flatMap(([collection, { earlier, lost, added }]) =>
    (
      [
        ['--max-lost', maxLost, lost, 'gone'],
        ['--max-new', maxNew, added, 'as new ones'],
      ] as const
    ).flatMap(([gate, limit, counted, words]) => {
      if (limit === undefined) return [];
      const expected = `at most ${percent(limit)} of ${grouped(earlier)} earlier records ${words}`;
      const holds = isAtMost(counted, limit, earlier);
      return [{ gate, collection, expected, found: shareWithCount(counted, earlier), holds }];
    }),
  );

/** A collection without the field passes, if another one has it. */
function filledGates({ field, share }: FilledGate, collections: Collections): readonly GateResult[] {
  const gate = '--min-filled';
  const having = [...collections].filter(([, { filled }]) => filled.has(field));
  if (having.length === 0) {
    const expected = `a field ${field} with a value in at least ${percent(share)} of the records`;
    return [{ gate, collection: null, expected, found: 'no collection with such a field', holds: false }];
  }
  return having.map(([collection, { accepted, filled }]) => ({
    gate,
    collection,
    expected: `a ${field} in at least ${percent(share)} of ${count(accepted, 'record')}`,
    found: shareWithCount(filled.get(field) ?? 0, accepted),
    holds: accepted > 0 && isAtLeast(filled.get(field) ?? 0, share, accepted),
  }));
}

const refusalGates = ({ maxRefused }: Gates, collections: Collections): readonly GateResult[] =>
  maxRefused === undefined
    ? []
    : [...collections].map(([collection, { read, refused }]) => ({
        gate: '--max-refused',
        collection,
        expected: `at most ${percent(maxRefused)} of ${count(read, 'record')} refused`,
        found: shareWithCount(refused, read),
        holds: isAtMost(refused, maxRefused, read),
      }));

/** Whether a count is at most, or at least, a share of a number: 7 is 7 % of 100, although `0.07 * 100` is a little more than 7. */
const isAtMost = (counted: number, share: number, of: number): boolean => counted <= share * of + TOLERANCE;
const isAtLeast = (counted: number, share: number, of: number): boolean => counted >= share * of - TOLERANCE;
const TOLERANCE = 1e-6;

/** `35 % (105)`; the share is cut, so that 94.99 % is not shown as the 95 % that it misses. */
const shareWithCount = (counted: number, of: number): string =>
  of === 0 ? grouped(counted) : `${percent(Math.floor((1e4 * counted) / of) / 1e4)} (${grouped(counted)})`;

const percent = (share: number): string => `${Number((100 * share).toFixed(4))} %`;
