/**
 * The command `convert`: the loader as a filter. A dump is read twice, to its end and then once more, so that nothing is written which its
 * later records would decide otherwise. Memory is bounded: what is read is written at once, and the next chunk waits for the reader.
 */

import { once } from 'node:events';
import type { Command } from '../config/command-line.js';
import { csvContent } from '../http/api/export/export.js';
import { csvText } from '../http/api/export/formats.js';
import { LINE_FEED } from '../kernels/ascii.js';
import { type BatchSink, type LoadFailed, loadSnapshots, type SnapshotLoadOptions } from '../load/load.js';
import type { LoadReport } from '../load/report/report.js';
import { startUpText, warningLines } from '../load/report/report-text.js';
import type { CollectionModel } from '../model.js';
import { IdIndexBuilder } from '../store/ids.js';
import { createRecordWriter } from '../store/record-writer.js';
import { grouped, quote } from '../text.js';
import { withFiles } from './dump-source.js';
import { newestDump } from './newest-dump.js';
import { pathFault } from './place.js';
import { schemaText } from './schema.js';
import { EXIT_USAGE, fail, failAll, textLines, warn, warnAll, withProgress } from './terminal.js';

type ConvertCommand = Command & { readonly kind: 'convert' };

/** Why nothing is written, as the user has to choose otherwise. */
class UsageFault extends Error {}

export async function convert(command: ConvertCommand): Promise<void> {
  const missing = pathFault(command.place.paths ?? []);
  if (missing !== undefined) return fail(missing);
  // A reader that has seen enough ends it: nothing else is to be done.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  try {
    const { place: newest } = await newestDump(command.place, command.isAddedUp);
    const result = await withFiles(newest, (place) =>
      withProgress((onProgress) => {
        const isReady = drained();
        return run(command, {
          ...place,
          onProgress(file, done, total) {
            onProgress(file, done, total);
            return isReady();
          },
        });
      }),
    );
    if (!result.ok) return failAll(result);
    sayFindings(result);
  } catch (error) {
    if (!(error instanceof UsageFault)) throw error;
    for (const line of textLines(error.message)) fail(line, EXIT_USAGE);
  }
}

interface Converted {
  readonly ok: true;
  readonly report: LoadReport;
  readonly repeatedIds: number;
  readonly isIdCountWhole: boolean;
}

async function run(
  { collection, fields, to, schema }: ConvertCommand,
  place: Omit<SnapshotLoadOptions, 'onCollection'>,
): Promise<Converted | LoadFailed> {
  let isIdCountWhole = true;
  let repeatedIds = 0;
  let finish = (): void => {};
  const result = await loadSnapshots({
    ...place,
    // A schema is that of the last reading, and nothing is written before.
    isReadToItsEndFirst: schema === undefined,
    chooseCollections: (names) => chosen(names, collection),
    onCollection(model) {
      const names = fields ?? model.fields.map(({ name }) => name);
      checkFields(model, names);
      if (schema !== undefined) {
        finish = () => void writeRecords(`${schemaText(schema, model, names)}\n`);
        return () => [];
      }
      const output = OUTPUTS[to](model, names);
      finish = output.finish;
      const ids = new IdIndexBuilder();
      return (batch) => {
        output.sink(batch);
        // Ids that count up or down need no table, and are told apart for nothing.
        isIdCountWhole &&= ids.table === null || ids.size < MAX_COUNTED_IDS;
        if (isIdCountWhole) repeatedIds += ids.addBatch(batch).replacedIds.length;
        // No record takes the place of another: all are written.
        return [];
      };
    },
  });
  if (!result.ok) return result;
  if (result.report.files.length === 0)
    throw new UsageFault('There are no records to convert: expected a file of JSON, NDJSON or CSV.');
  finish();
  return { ...result, repeatedIds, isIdCountWhole };
}

/** Ids that do not count up take some 24 bytes each to be told apart. */
const MAX_COUNTED_IDS = 2 << 20;

/** The name of the collection that goes out; none where the dump has no collection. */
function chosen(names: readonly string[], wanted: string | undefined): readonly string[] {
  if (names.length === 0) return [];
  if (wanted !== undefined) {
    if (names.includes(wanted)) return [wanted];
    throw new UsageFault(`There is no collection ${quote(wanted)}; the dump has ${names.join(', ')}.`);
  }
  if (names.length === 1) return names;
  throw new UsageFault(
    `The dump has ${names.length} collections, and one goes out: --collection ${names.join(' or ')}.`,
  );
}

function checkFields({ fields, name }: CollectionModel, names: readonly string[]): void {
  const fieldNames = fields.map((field) => field.name);
  const unknown = names.find((each) => !fieldNames.includes(each));
  if (unknown !== undefined)
    throw new UsageFault(`${name} has no field ${quote(unknown)}; --fields takes some of ${fieldNames.join(', ')}.`);
}

interface Output {
  readonly sink: (batch: Parameters<BatchSink>[0]) => void;
  readonly finish: () => void;
}

/** Returns whether standard output still holds the bytes: files and pipes take them at once on most systems. */
function writeRecords(bytes: string | Uint8Array): boolean {
  process.stdout.write(bytes);
  return process.stdout.writableLength > 0;
}

const JSON_SEPARATOR = ',\n';

const OUTPUTS: Readonly<Record<ConvertCommand['to'], (model: CollectionModel, names: readonly string[]) => Output>> = {
  // Batches end in a line feed, so that a reader of lines has the last record at once.
  ndjson(model, names) {
    const records = createRecordWriter(model, names, '\n');
    let inUse = false;
    return {
      sink(batch) {
        inUse = writeRecords(records(batch, inUse));
      },
      finish: () => {},
    };
  },
  json(model, names) {
    const records = createRecordWriter(model, names, JSON_SEPARATOR);
    let before = '[\n';
    let inUse = false;
    return {
      sink(batch) {
        const bytes = records(batch, inUse);
        if (bytes.length === 0) return;
        writeRecords(before);
        inUse = writeRecords(bytes.subarray(0, -JSON_SEPARATOR.length));
        before = JSON_SEPARATOR;
      },
      finish: () => void writeRecords(before === JSON_SEPARATOR ? '\n]\n' : '[\n]\n'),
    };
  },
  csv(model, names) {
    const records = createRecordWriter(model, names, '\n');
    const { rows } = csvContent(model, names);
    let before = csvLines([names]);
    return {
      sink(batch) {
        writeRecords(before + csvLines(linesIn(records(batch, false)).flatMap(rows)));
        before = '';
      },
      finish: () => void writeRecords(before),
    };
  },
};

/** Rows as lines of CSV; none is guarded against spreadsheets, since programs read them. */
const csvLines = (rows: readonly (readonly unknown[])[]): string => csvText(rows, PLAIN_CSV);
const PLAIN_CSV = { hasMark: false, delimiter: ',', isGuarded: false };

/** The lines, each of which ends in a line feed. */
function linesIn(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from);
    lines.push(bytes.subarray(from, end));
    from = end + 1;
  }
  return lines;
}

/** All messages go to standard error: what was read, refused and assumed, and ids that came again. */
function sayFindings({ report, repeatedIds, isIdCountWhole }: Converted): void {
  for (const line of startUpText(report)) warn(line);
  warnAll(warningLines(report));
  if (repeatedIds > 0)
    warn(
      repeatedIds === 1
        ? 'warning: 1 record has an id that came before: it was written like all others'
        : `warning: ${grouped(repeatedIds)} records have ids that came before: they were written like all others`,
    );
  if (!isIdCountWhole)
    warn(`warning: ids were compared in the first ${grouped(MAX_COUNTED_IDS)} records only; later ones may come again`);
}

/** Waits until the reader of standard output has taken what was written. */
const drained = () => async (): Promise<void> => {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
};
