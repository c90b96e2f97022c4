/** One file → its records in the sink and its part of the report. */
import type { RecordBatch } from '../batch.js';
import type { Language } from '../languages.js';
import type { CollectionModel } from '../model.js';
import { grouped, quote } from '../text.js';
import { BatchFiller } from './batch-filler.js';
import type { BatchRooms } from './batch-memory.js';
import { type Columns, createColumnFinder } from './columns.js';
import type { DateOrder } from './dates.js';
import { createDecoder } from './decode.js';

import { mappingNameOf, type SnapshotPlace } from './folder.js';
import type { JsonLayout } from './json-layout.js';
import { placeText } from './json-places.js';

import type { OpenedFile } from './open-file.js';
import { guessText, planFor, planNotes } from './plan.js';
import { readFile } from './read-file.js';
import type { FileReport, SnapshotFault } from './report.js';
import { type DateProofs, dateOrder } from './survey.js';
import { createSuspicions, NO_SUSPICIONS } from './suspicions.js';
import { createTally, type Finding } from './tally.js';

/** How files are read. */
export interface ReadingOptions {
  /** Makes the first record that is refused or repaired a fault. */
  readonly strict: boolean;
  /** Whether to look for what may be a mistake; a reader that drops the report does not. */
  readonly suspects: boolean;
  /** Dates later than this are reported as suspicious. */
  readonly nowMs: number;
  /** Whether batches have what records have besides their fields, in a column behind those of the fields. */
  readonly keepsExtra: boolean;
}

export interface FileLoad extends ReadingOptions, Pick<SnapshotPlace, 'baseUrl' | 'scrapedAtMs'> {
  readonly opened: OpenedFile;
  /** Of the collection's texts. */
  readonly language: Language;
  readonly model: CollectionModel;
  /** Record `n` gets the id `firstId + n - 1`; undefined where records have ids of their own. */
  readonly firstId: number | undefined;
  /** Returns the ids of records that replaced others. */
  readonly sink: (batch: RecordBatch) => readonly number[];
  /** Told of the names that records have. */
  readonly onNames: (names: readonly string[]) => void;
  /** Told what whoever starts the server should know of the file. */
  readonly warn: (text: string) => void;
  readonly rooms: BatchRooms;
  readonly onRead?: (doneBytes: number) => void;
}

export async function loadFile(load: FileLoad): Promise<FileReport | SnapshotFault> {
  const { opened, model, firstId } = load;
  const { source, plan, layout } = opened;
  const own = planFor(plan, model);
  const { file, collection, bytes, format } = source;
  const mapping = mappingNameOf(source);
  const startedAt = performance.now();
  const [guess] = plan.guesses;
  if (load.strict && guess)
    return { file, message: `a field is guessed, and --strict allows no guess: ${guessText(model, guess, mapping)}` };
  const lookout = load.suspects ? createSuspicions(model, load.nowMs) : NO_SUSPICIONS;
  const tally = createTally(model, lookout, firstId !== undefined);
  const addColumns = (columns: Columns): void => {
    if (columns.records > 0) load.onNames(columns.names);
    tally.addColumns(columns);
  };
  const columns = createColumnFinder(own, addColumns);
  const decoder = createDecoder();
  let dateNote: string | undefined;

  const filler = new BatchFiller({
    model,
    rooms: load.rooms,
    tally,
    firstId,
    keepsExtra: load.keepsExtra,
    forms: own.forms,
    markup: plan.isOwn ? undefined : await import('./markup.js'),
    take: (batch) => tally.accept(batch, load.sink(batch), firstId !== undefined),
  });
  const { dayFirst } = opened.mapping;
  const { baseUrl, scrapedAtMs } = load;
  filler.context = {
    isCsv: format === 'csv',
    dateOrder: dayFirst === undefined ? undefined : dayFirst ? 'day first' : 'month first',
    isOwn: plan.isOwn,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(scrapedAtMs !== undefined && { scrapedAtMs }),
  };

  const onDates = async (): Promise<SnapshotFault | undefined> => {
    const proofs = await dateOrder(opened, load.rooms);
    if ('message' in proofs) return proofs;
    filler.context = { ...filler.context, dateOrder: orderOf(proofs) };
    dateNote = dateNoteOf(proofs, mapping);
    return undefined;
  };

  const { onRead } = load;
  const isStopped = () => load.strict && tally.firstFinding() !== undefined;
  const failed = await readFile(opened, {
    columns,
    filler,
    decoder,
    isStopped,
    onDates,
    ...(onRead && { onRead }),
  });
  filler.batch.release();
  const finding = load.strict ? tally.firstFinding() : undefined;
  if (finding) return { file, line: finding.line, message: strictMessage(model, finding) };
  if (failed) return failed;
  for (const found of columns.known()) addColumns(found);
  const result = tally.result();
  if (decoder.windows1252Count() > 0) load.warn('some text is not in UTF-8 and was read as windows-1252');
  const notes = [...('dialect' in layout ? layout.notes : placeNotes(layout)), ...planNotes(plan, mapping)];
  return {
    file,
    collection,
    language: load.language,
    mapping,
    bytes,
    tookMs: performance.now() - startedAt,
    ...result,
    keepsExtra: load.keepsExtra,
    titleCandidates: plan.titleCandidates,
    notes,
    suspicions: [...result.suspicions, ...plan.doubts],
    ...(dateNote !== undefined && { dateOrder: dateNote }),
  };
}

/** Where the records stand, unless they are the values of the file, or of its one array. */
function placeNotes({ steps }: JsonLayout): readonly string[] {
  const isPlain = steps.length === 0 || (steps.length === 1 && steps[0] === 'each');
  return isPlain ? [] : [`the records are those at ${placeText(steps)}`];
}

const orderOf = (proofs: DateProofs): DateOrder =>
  proofs.has('day first') && !proofs.has('month first') ? 'day first' : 'month first';

/** What is to be said about a column's dates; nothing where they prove to be month/day. */
function dateNoteOf(proofs: DateProofs, mapping: string): string | undefined {
  const day = proofs.get('day first');
  const month = proofs.get('month first');
  const decide = `; {"dayFirst": true} in ${mapping} reads day/month`;
  if (day && month)
    return `date: both day/month (${quote(day.raw)} on line ${day.line}) and month/day (${quote(month.raw)} on line ${month.line}); read as month/day where either is possible${decide}`;
  if (day) return `date: read as day/month, as ${quote(day.raw)} on line ${day.line} shows`;
  if (month) return undefined;
  return `date: nothing shows whether dates are month/day or day/month; read as month/day${decide}`;
}

/** A refusal or repair as `--strict` tells it. */
function strictMessage(model: CollectionModel, { record, refusal, note }: Finding): string {
  const number = grouped(record);
  if (note === undefined) return `record ${number} is refused, and --strict allows no refusal: ${refusal}`;
  const name = model.fields[note.field]?.name ?? '';
  const found = typeof note.raw === 'object' ? 'an object or array' : quote(note.raw);
  const read =
    note.read === null
      ? `${name} cannot be read from ${found}`
      : `${name} is read from ${found} as ${quote(note.read)}`;
  return `record ${number} needs a repair, and --strict allows none: ${read}`;
}
