/** The results of a run as they are kept under `bench/results/`: of every figure the middle of its rounds, the least and the most. */
import type { PeerName, Place } from './peers.js';

export interface RoundSettings {
  readonly peer: PeerName;
  readonly plan: string;
  readonly place: Omit<Place, 'port'>;
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
  readonly settings: { readonly taskMs: number; readonly loopMs: number; readonly rates: readonly number[] };
  readonly sizes: readonly SizeResult[];
}

/** Rounds that give a reason instead of a figure outweigh: a figure is one of every round. */
export function summarise(rounds: readonly Round[]): Figures {
  const names = [...new Set(rounds.flatMap((round) => Object.keys(round)))];
  return Object.fromEntries(names.map((name) => [name, summary(rounds.flatMap((round) => round[name] ?? []))]));
}

function summary(cells: readonly Cell[]): Figure | string {
  const reason = cells.find((cell) => typeof cell === 'string');
  if (reason !== undefined) return reason;
  const sorted = cells.filter((cell) => typeof cell === 'number').toSorted((a, b) => a - b);
  const at = (i: number): number => rounded(sorted[i] ?? Number.NaN);
  return { median: at(sorted.length >> 1), least: at(0), most: at(sorted.length - 1) };
}

/** Four digits are more than a measurement has. */
const rounded = (value: number): number => Number(value.toPrecision(4));
