/** The results of a run as they are kept under `bench/results/`: of every figure the middle of its rounds, the least and the most. */
import { PEERS, type PeerName, type Place } from './peers.js';

export interface RoundSettings {
  readonly peer: PeerName;
  readonly plan: string;
  readonly place: Omit<Place, 'port'>;
  /** How long a task's requests are sent at most before it is timed. */
  readonly warmUpMs: number;
  /** A task is timed by more requests until they have taken this long. */
  readonly taskMs: number;
  /** The requests a second of the open loop. */
  readonly rates: readonly number[];
  readonly loopMs: number;
  readonly maxStartMs: number;
  /** Whether only the start from a peer's own file is measured. */
  readonly isStartOnly: boolean;
}

/** A figure of a round, or why there is none. */
export type Cell = number | string;

/** Name of a figure → figure: `list`, `list again`, `list p99`, … in milliseconds unless the name says otherwise. */
export type Round = Readonly<Record<string, Cell>>;

/** A peer that needs longer for a task is shown as "over 20 s". */
export const MAX_TASK_MS = 20_000;
export const OVER = 'over 20 s';

export interface Figure {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Name of a figure → figure, or why there is none. */
export type Figures = Readonly<Record<string, Figure | string>>;

export interface PeerResult {
  readonly title: string;
  readonly kind: 'http' | 'floor' | 'in process' | 'load';
  readonly versions: string;
  readonly settings: readonly string[];
  readonly cannot: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly figures: Figures;
}

export interface SizeResult {
  readonly records: number;
  readonly dumpBytes: number;
  readonly rounds: number;
  readonly peers: Readonly<Partial<Record<PeerName, PeerResult>>>;
}

export interface Results {
  readonly environment: {
    readonly date: string;
    readonly commit: string;
    readonly node: string;
    readonly machine: string;
    readonly processors: number;
    readonly memoryBytes: number;
    readonly system: string;
  };
  readonly isQuick: boolean;
  readonly tookMs: number;
  readonly settings: Pick<RoundSettings, 'warmUpMs' | 'taskMs' | 'loopMs' | 'rates'>;
  readonly sizes: readonly SizeResult[];
}

/** The figures of a peer's rounds. A reason in one round outweighs the figures of the others. */
export function summarise(rounds: readonly Round[]): Figures {
  const names = [...new Set(rounds.flatMap((round) => Object.keys(round)))];
  return Object.fromEntries(names.map((name) => [name, summary(rounds.flatMap((round) => round[name] ?? []))]));
}

function summary(cells: readonly Cell[]): Figure | string {
  const reason = cells.find((cell) => typeof cell === 'string');
  if (reason !== undefined) return reason;
  const sorted = cells.filter((cell) => typeof cell === 'number').toSorted((a, b) => a - b);
  const at = (i: number): number => sorted[i] ?? Number.NaN;
  const median = (at((sorted.length - 1) >> 1) + at(sorted.length >> 1)) / 2;
  return { median: rounded(median), least: rounded(at(0)), most: rounded(at(sorted.length - 1)) };
}

/** Four digits are more than a measurement has. */
const rounded = (value: number): number => Number(value.toPrecision(4));

/** The stated spread reaches this share of the median at least to either side: runs differ by more than rounds do. */
const MIN_SPREAD = 0.1;

/**
 * Where the median of another run on the same machine is expected. Two medians of three rounds lie within the least and the most
 * of the other's three in less than 60 cases of 100, within three times that width in more than 90.
 */
export const statedSpread = ({ median, least, most }: Figure): { readonly from: number; readonly to: number } => ({
  from: Math.max(0, Math.min(2 * least - most, median * (1 - MIN_SPREAD))),
  to: Math.max(2 * most - least, median * (1 + MIN_SPREAD)),
});

/** How many medians of a run lie within the spread that an earlier run states. */
export interface Agreement {
  readonly figures: number;
  readonly within: number;
  /** The median outside that lies farthest from the earlier run's, and how many times that it is; null where all are within. */
  readonly farthest: string | null;
}

/** Null where the runs cannot be compared: another machine, another Node, or other settings. */
export function agreementOf(earlier: Results, later: Results): Agreement | null {
  const conditionsOf = ({ environment, settings }: Results): string => JSON.stringify([environment.machine, settings]);
  if (conditionsOf(earlier) !== conditionsOf(later)) return null;
  const comparisons = later.sizes.flatMap(({ records, peers }) => {
    const size = earlier.sizes.find((each) => each.records === records);
    return PEERS.flatMap((name) => comparisonsOf(size?.peers[name], peers[name], records));
  });
  const outside = comparisons.filter(({ isWithin }) => !isWithin).toSorted((a, b) => b.distance - a.distance);
  return {
    figures: comparisons.length,
    within: comparisons.length - outside.length,
    farthest: outside[0]?.text ?? null,
  };
}

interface Comparison {
  readonly isWithin: boolean;
  /** The logarithm of the ratio of both medians. */
  readonly distance: number;
  readonly text: string;
}

function comparisonsOf(earlier: PeerResult | undefined, later: PeerResult | undefined, records: number): Comparison[] {
  // A single round states no spread.
  if (earlier === undefined || later === undefined || earlier.rounds < 2) return [];
  return Object.entries(later.figures).flatMap(([name, figure]) => {
    // Shares tell how a run was disturbed: they are no figure of a peer.
    if (name.endsWith('%')) return [];
    const stated = earlier.figures[name];
    if (typeof figure !== 'object' || typeof stated !== 'object') return [];
    const { from, to } = statedSpread(stated);
    const ratio = (figure.median + Number.EPSILON) / (stated.median + Number.EPSILON);
    return {
      isWithin: figure.median >= from && figure.median <= to,
      distance: Math.abs(Math.log(ratio)),
      text: `${later.title}, ${name}, ${records.toLocaleString('en')} records: ${ratio.toFixed(2)} times`,
    };
  });
}
