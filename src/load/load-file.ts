/** One file → its records in the sink and its part of the report. */
import type { RecordBatch } from '../batch.js';
import type { CollectionModel } from '../model.js';
import { grouped, quote } from '../text.js';
import { BatchWriter } from './batch-writer.js';
import type { Columns, Mapping } from './columns.js';
import type { DateOrder } from './dates.js';
import { createDecoder } from './decode.js';
import type { SnapshotFile } from './folder.js';
import { createNormaliser, type Normalised, type Note } from './normalise.js';
import type { Reading } from './reading.js';
import type { FileReport, SnapshotFault } from './report.js';
import type { ReadOutcome, SourceRecord } from './source-record.js';
import type { DateSurvey } from './survey.js';
import { createSuspicions, NO_SUSPICIONS } from './suspicions.js';
import { createTally } from './tally.js';
import type { CellContext } from './values.js';

export interface FileLoad {
  readonly source: SnapshotFile;
  readonly model: CollectionModel;
  readonly mapping: Mapping;
  /** Record `n` gets the id `firstId + n - 1`; undefined where records have ids of their own. */
  readonly firstId: number | undefined;
  readonly nowMs: number;
  readonly strict: boolean;
  /** Whether to look for what may be a mistake. */
  readonly suspects: boolean;
  /** Returns how many records replaced others. */
  readonly sink: (batch: RecordBatch) => number;
  /** Told of the names that records have. */
  readonly onNames: (names: readonly string[]) => void;
  /** Told what whoever starts the server should know of the file. */
  readonly warn: (text: string) => void;
  readonly read: (reading: Pick<Reading, 'take' | 'decoder' | 'onRead'>) => Promise<ReadOutcome>;
  readonly surveyDates: () => Promise<DateSurvey | SnapshotFault>;
  readonly onRead?: (doneBytes: number) => void;
}

export async function loadFile(load: FileLoad): Promise<FileReport | SnapshotFault> {
  const { source, model, mapping, firstId, sink } = load;
  const { file, collection, bytes, format } = source;
  const startedAt = performance.now();
  const tally = createTally(model, load.suspects ? createSuspicions(model, load.nowMs) : NO_SUSPICIONS);
  const batch = new BatchWriter(model);
  const handOn = (): void => {
    if (batch.size > 0) tally.accept(batch.size, sink(batch), firstId !== undefined);
    batch.clear();
  };
  const addColumns = (columns: Columns): void => {
    if (columns.records > 0) load.onNames(columns.names);
    tally.addColumns(columns);
  };
  const normaliser = createNormaliser({ model, mapping, onForgetColumns: addColumns });
  const decoder = createDecoder();
  let context: CellContext = { isCsv: format === 'csv', dateOrder: undefined };
  let dateNote: string | undefined;
  let fault: SnapshotFault | undefined;

  /** Takes a record; false where its dates need the column's order first. */
  const takeOne = (record: SourceRecord, number: number): boolean => {
    const result = normaliser.normalise(record, context, firstId === undefined ? undefined : firstId + number - 1);
    if ('needs' in result) return false;
    if (load.strict) fault ??= strictFault(model, file, record, number, result);
    if (!result.ok) {
      tally.refuse(record, result.reason);
      return true;
    }
    for (const note of result.notes) tally.note(record, note);
    tally.look(record, result.values);
    batch.add(result.values);
    if (batch.isFull) handOn();
    return true;
  };

  const learnDates = async (): Promise<boolean> => {
    const survey = await load.surveyDates();
    if ('message' in survey) {
      fault = survey;
      return false;
    }
    context = { ...context, dateOrder: orderOf(survey) };
    dateNote = dateNoteOf(survey);
    return true;
  };

  const takeFrom = (records: readonly SourceRecord[], from: number): boolean | Promise<boolean> => {
    for (let i = from; i < records.length; i++) {
      const record = records[i]!;
      if (!takeOne(record, tally.begin())) return learnDatesThen(records, i);
      if (fault) return false;
    }
    return true;
  };
  const learnDatesThen = async (records: readonly SourceRecord[], at: number): Promise<boolean> => {
    if (!(await learnDates())) return false;
    const record = records[at]!;
    takeOne(record, tally.current());
    return fault === undefined && takeFrom(records, at + 1);
  };

  const take = (records: readonly SourceRecord[]) => takeFrom(records, 0);
  const failed = await load.read({ take, decoder, ...(load.onRead && { onRead: load.onRead }) });
  const broken = failed ?? fault;
  if (broken) return broken;
  handOn();
  for (const columns of normaliser.columns.known()) addColumns(columns);
  const result = tally.result();
  if (decoder.foreign() > 0) load.warn('some text is not in UTF-8 and was read as windows-1252');
  const suspicions = dateNote === undefined ? result.suspicions : [...result.suspicions, dateNote];
  return { file, collection, bytes, tookMs: performance.now() - startedAt, ...result, suspicions };
}

const orderOf = ({ proofs }: DateSurvey): DateOrder =>
  proofs.has('day first') && !proofs.has('month first') ? 'day first' : 'month first';

/** What is to be said about a column's dates; nothing where they prove to be month/day. */
function dateNoteOf({ proofs }: DateSurvey): string | undefined {
  const day = proofs.get('day first');
  const month = proofs.get('month first');
  if (day && month)
    return `date: both day/month (${quote(day.raw)} on line ${day.line}) and month/day (${quote(month.raw)} on line ${month.line}); read as month/day where either is possible`;
  if (day) return `date: read as day/month, as ${quote(day.raw)} on line ${day.line} shows`;
  return month ? undefined : 'date: nothing shows whether dates are month/day or day/month; read as month/day';
}

/** With `--strict` a record that is not right as it stands is a fault of its file. */
function strictFault(
  model: CollectionModel,
  file: string,
  { line }: SourceRecord,
  number: number,
  result: Exclude<Normalised, { needs: unknown }>,
): SnapshotFault | undefined {
  const which = `record ${grouped(number)}`;
  if (!result.ok)
    return { file, line, message: `${which} is refused, and --strict allows no refusal: ${result.reason}` };
  const [note] = result.notes;
  return note && { file, line, message: `${which} needs a repair, and --strict allows none: ${noteText(model, note)}` };
}

function noteText(model: CollectionModel, { row, raw, read }: Note): string {
  const name = model.fields[row]?.name ?? '';
  const found = typeof raw === 'object' ? 'an object or array' : quote(raw);
  return read === null ? `${name} cannot be read from ${found}` : `${name} is read from ${found} as ${quote(read)}`;
}
