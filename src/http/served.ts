/**
 * What is served, and which engine answers for it?
 * Takes: the served dataset, or a database.
 * Gives: the engine of its records (`QueryEngine`): memory, unless the dataset has another.
 * Skip: what else is known of a load: its report, and when it was.
 */
import type { LoadReport, SnapshotFault } from '../load/report/report.js';
import type { QueryEngine } from '../query/engine.js';
import { createMemoryEngine } from '../query/memory.js';
import type { Dataset } from '../store/dataset.js';
import { memoize } from './memoize.js';

/** The served dataset and its load report; a reload replaces the whole value. */
export interface Served {
  /** Without records where a database holds them. */
  readonly dataset: Dataset;
  /** The engine of a database; without it the records are in memory. */
  readonly engine?: QueryEngine;
  readonly report: LoadReport;
  readonly loadedAt: Date;
  /** Modification time of the snapshot's newest file: equal on every server that has copies of the files. */
  readonly modifiedAt?: Date;
  /** The last failed attempt to load newer snapshots, which the served dataset is older than. */
  readonly reloadFault?: SnapshotFault & { readonly at: string };
}

/** The engine that answers for the records of a dataset. */
export const engineOf = ({ engine, dataset }: Pick<Served, 'engine' | 'dataset'>): QueryEngine =>
  engine ?? memoryEngineOf(dataset);

const memoryEngineOf = memoize(createMemoryEngine);
