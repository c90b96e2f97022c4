/** The thread that helps to build search tables, and gets them: see `search-protocol.ts`. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type CollectionName, collections } from '../model.js';
import { weightsOf } from '../search/builder.js';
import { type Inversion, type Inverted, Inverter } from '../search/inverter.js';
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
  type FromReader,
  mapped,
  offerHelp,
  type SearchOrder,
  tellInverted,
  withParts,
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
      if (from?.kind === 'terms') helper.invert(from.collection, from.entries);
      else if (from?.kind === 'read') {
        const inverted = helper.inverted();
        if (inverted !== null) worker.postMessage(inverted);
        helper.layOut(from.inversions, inverted);
      } else if (from?.kind === 'done') return { ok: true as const, tables: helper.tables(from) };
      else if (from?.kind === 'failed') return { ok: false as const, fault: from.fault };
    }
    throw new Error('the thread that builds the search tables ended before it was done');
  }
  return { help, cancel: () => void worker.terminate() };
}

class Helper {
  private readonly control: Int32Array;
  private readonly inverters = new Map(
    collections.map((model) => [model.name, new Inverter(weightsOf(searchFields(model)))] as const),
  );
  private rows: ByCollection<RowTables> = new Map();
  private blocks: ByCollection<Blocks> = new Map();

  constructor(control: Int32Array) {
    this.control = control;
  }

  invert(collection: CollectionName, entries: Int32Array): void {
    collectionOf(this.inverters, collection).read(entries, entries.length);
    tellInverted(this.control);
  }

  /** What was inverted here; null where nothing was. */
  inverted(): ByCollection<Inverted> | null {
    const inverted = mapped(this.inverters, (inverter) => inverter.finish());
    this.inverters.clear();
    return [...inverted.values()].some(({ records }) => records > 0) ? inverted : null;
  }

  /** Lays out what the other thread does not. */
  layOut(own: ByCollection<Inversion>, inverted: ByCollection<Inverted> | null): void {
    const inversions = inverted === null ? own : withParts(own, inverted);
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
