/** The thread that helps to build search tables, and gets them: see `search-protocol.ts`. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { collections } from '../model.js';
import { weightsOf } from '../search/builder.js';
import { Inverter } from '../search/inverter.js';
import { type Blocks, layOutBuckets } from '../search/layout.js';
import { type RowTables, rowTables } from '../search/rows.js';
import { tablesOf } from '../search/tables-of.js';
import { collectionOf } from '../store/dataset.js';
import { searchFields } from '../store/documents.js';
import type { Failed } from './build.js';
import { collectGarbage } from './garbage.js';
import type { SearchTables } from './parts.js';
import {
  type ByCollection,
  claimBucket,
  createControl,
  type FromHelper,
  type FromReader,
  inversionOf,
  mapped,
  offerHelp,
  type Reading,
  type SearchOrder,
  tellInverted,
} from './search-protocol.js';

export interface SearchBuild {
  /** Helps until the tables are built. */
  help(): Promise<{ readonly ok: true; readonly tables: SearchTables } | Failed>;
  cancel(): void;
}

/** Starts to build search tables on another thread. */
export function startSearchBuild(options: SearchOrder['options']): SearchBuild {
  const control = createControl();
  const order: SearchOrder = { options, control };
  const worker = new Worker(new URL('./search-worker.js', import.meta.url), { workerData: order });
  // From here on messages are kept until there is time for them.
  const messages: AsyncIterable<readonly FromReader[]> = on(worker, 'message', { close: ['exit'] });

  async function help() {
    const helper = new Helper(control);
    offerHelp(control);
    for await (const message of messages) {
      const [from] = message;
      if (from?.kind === 'terms') helper.invert(from);
      else if (from?.kind === 'read') {
        const parts = helper.parts();
        if (parts !== null) worker.postMessage(parts);
        helper.layOut(from.readings, parts);
      } else if (from?.kind === 'done') return { ok: true as const, tables: helper.tables(from) };
      else if (from?.kind === 'failed') return { ok: false as const, fault: from.fault };
    }
    throw new Error('the thread that builds the search tables ended before it was done');
  }
  return { help, cancel: () => void worker.terminate() };
}

const weights = new Map(collections.map((model) => [model.name, weightsOf(searchFields(model))] as const));

class Helper {
  private readonly control: Int32Array;
  /** By part. */
  private readonly inverters = new Map(collections.map(({ name }) => [name, new Map<number, Inverter>()] as const));
  private rows: ByCollection<RowTables> = new Map();
  private blocks: ByCollection<Blocks> = new Map();

  constructor(control: Int32Array) {
    this.control = control;
  }

  invert({ collection, part, entries }: Extract<FromReader, { kind: 'terms' }>): void {
    const inverters = collectionOf(this.inverters, collection);
    const inverter = inverters.get(part) ?? new Inverter(collectionOf(weights, collection));
    inverters.set(part, inverter);
    inverter.read(entries, entries.length);
    tellInverted(this.control);
  }

  /** What was inverted here; null where nothing was. */
  parts(): FromHelper | null {
    if ([...this.inverters.values()].every(({ size }) => size === 0)) return null;
    return mapped(
      this.inverters,
      (inverters) => new Map([...inverters].map(([part, inverter]) => [part, inverter.finish()])),
    );
  }

  /** Lays out what the other thread does not. */
  layOut(readings: ByCollection<Reading>, helped: FromHelper | null): void {
    this.inverters.clear();
    const inversions = mapped(readings, (reading, name) => inversionOf(reading, helped?.get(name)));
    this.rows = mapped(inversions, rowTables);
    this.blocks = mapped(inversions, (inversion, name) =>
      layOutBuckets(inversion, () => claimBucket(this.control, name)),
    );
  }

  tables({ blocks, dictionaries }: Extract<FromReader, { kind: 'done' }>): SearchTables {
    collectGarbage();
    return mapped(this.rows, (rows, name) =>
      tablesOf(
        rows,
        new Map([...collectionOf(this.blocks, name), ...collectionOf(blocks, name)]),
        collectionOf(dictionaries, name),
      ),
    );
  }
}
