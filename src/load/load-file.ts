/**
 * How is one file read?
 * Takes: an opened file, and how the collection's files spell dates and numbers.
 * Gives: its records to the sink, its report, and values that may overturn what its first records decided.
 * Skip: the readers of JSON and CSV, which give every record as a `SourceRow`; what counts and watches (`tally.ts`, `later-values.ts`).
 */
import type { RecordBatch } from '../batch.js';
import type { Language } from '../languages.js';
import type { CollectionModel, Field } from '../model.js';
import { Binder } from './bind/bind.js';
import { lateColumnsOf, laterValues, type ValueCounters, watchesOf } from './fields/later-values.js';
import { foundColumnOf, type LaterValues, titleCandidates } from './fields/plan.js';
import type { Spellings } from './fields/spellings.js';
import type { OpenedFile } from './open-file.js';
import type { LeftOutPlace } from './place/json-place.js';
import { readJson } from './place/json-reader.js';
import type { FileReading } from './place/source-row.js';
import { bareNumberFindings, footerFinding, passedFindings, repeatedNameFindings } from './report/file-findings.js';
import { type FileFinding, finding } from './report/findings.js';
import { createMistakeCounter } from './report/mistakes.js';
import type { FileReport, SnapshotFault } from './report/report.js';
import { createTally, type Tally } from './report/tally.js';
import type { BatchMemory } from './source/batch-memory.js';
import { createDecoder, type Decoder } from './source/decode.js';
import { mappingNameOf, type SnapshotPlace } from './source/folder.js';
import { foundForm, hasEntities } from './values/text-forms.js';
import type { ValueCounts } from './values/value-counts.js';

/** How files are read. */
export interface ReadingOptions {
  /** Makes the first record that is refused or repaired a fault. */
  readonly strict: boolean;
  /** Dates later than this are reported as suspicious. */
  readonly nowMs: number;
  /** Called before each chunk of a file, which is read once the promise has resolved. */
  readonly onProgress?: (file: string, doneBytes: number, totalBytes: number) => void | Promise<void>;
}

interface FileLoad extends ReadingOptions, Pick<SnapshotPlace, 'baseUrl' | 'scrapedAtMs' | 'isPartial'> {
  readonly opened: OpenedFile;
  readonly spellings: Spellings;
  /** The language of the collection's texts. */
  readonly language: Language;
  readonly model: CollectionModel;
  /** Record `n` gets the id `firstId + n - 1`; undefined where records have ids of their own. */
  readonly firstId: number | undefined;
  /** Returns the ids of records that replaced others. */
  readonly sink: (batch: RecordBatch) => readonly number[];
  /** Names in the mapping that no record has so far: those that the file's records have are removed. */
  readonly unusedNames: Set<string>;
  readonly memory: BatchMemory;
  /** The file was read before: what its records hold is known. */
  readonly isReadAgain: boolean;
  readonly columns?: 'all' | 'documented' | undefined;
}

/** The result of reading a file: its report, and the values that may decide otherwise than its sample did. */
export interface LoadedFile {
  readonly report: FileReport;
  /** The findings of its reading: places that it has passed, the encoding, possible mistakes in records. */
  readonly findings: readonly FileFinding[];
  readonly later: LaterValues;
}

/** Reads a file into the sink; returns its report, or the fault that ends it. */
export async function loadFile(load: FileLoad): Promise<LoadedFile | SnapshotFault> {
  const { opened, model, firstId } = load;
  const { source, plan } = opened;
  const startedAt = performance.now();
  const mistakes = createMistakeCounter(model, load.nowMs);
  const tally = createTally(model, mistakes, load.unusedNames);
  const counters = countersOf(load);
  const decoder = createDecoder();
  const { readFault, leftOut, footer } = await readRecords(load, await openBinder(load, tally, counters), decoder);
  if (readFault) return readFault;
  const foreign = decoder.foreignTexts();
  const encodings = foreign.count > 0 ? await import('./source/encodings.js') : undefined;
  if (encodings && foreign.misread > 0) return { file: source.file, message: encodings.misreadText(foreign) };
  const result = tally.result();
  const report: FileReport = {
    file: source.file,
    collection: source.collection,
    language: load.language,
    mapping: mappingNameOf(source),
    bytes: source.bytes,
    tookMs: performance.now() - startedAt,
    ...result,
    idsAssigned: firstId === undefined ? 0 : result.accepted,
    fields: result.fields.map((field) => (plan.fed.get(field.field)?.guess ? { ...field, isGuessed: true } : field)),
    titleCandidates: titleCandidates(plan),
  };
  return {
    report,
    findings: [
      ...passedFindings(leftOut),
      ...footerFinding(footer),
      ...repeatedNameFindings(tally.repeatedNames()),
      ...(encodings ? [finding('encoding', encodings.readText(foreign))] : []),
      ...bareNumberFindings(model, tally.bareNumbers, mistakes.present),
      ...mistakes.findings(result.accepted),
    ],
    later: laterValues(opened, model, { ...counters, present: mistakes.present }),
  };
}

/** Counters of values that may decide otherwise than the sample did; none where all values are known. */
function countersOf({ opened, model, isReadAgain, columns }: FileLoad): ValueCounters {
  if (isReadAgain) return { watches: [], lateColumns: undefined };
  const isEveryColumnKept = columns !== 'documented';
  return {
    watches: watchesOf(opened, model),
    lateColumns: isEveryColumnKept ? lateColumnsOf(opened, model) : undefined,
  };
}

/** The binder of a file, which makes its records batches, and counts what it reads. */
async function openBinder(load: FileLoad, tally: Tally, counters: ValueCounters): Promise<Binder> {
  const { model, sink } = load;
  const { source, plan, mapping } = load.opened;
  const documentedDates = load.spellings.dates.find(({ index }) => model.fields[index]?.sourcePath === undefined);
  const countsOf = (field: Field): ValueCounts => foundColumnOf(plan, field)?.profile.counts ?? new Map();
  const forms = model.fields.map((field) => plan.forms.get(field.name) ?? foundForm(field, countsOf(field)));
  const hasMarkup = mapping.isOurExport !== true && forms.some((form) => form === 'html' || hasEntities(form));
  return new Binder({
    model,
    memory: load.memory,
    tally,
    plan,
    firstId: load.firstId,
    forms,
    ...counters,
    spellings: load.spellings,
    context: {
      isCsv: source.format === 'csv',
      dateOrder: documentedDates?.order ?? 'month first',
      isOurExport: mapping.isOurExport === true,
      isGuarded: mapping.isGuarded === true,
      // Its parser of HTML takes a tenth of a small start.
      markup: hasMarkup ? await import('./values/markup.js') : undefined,
      baseUrl: load.baseUrl,
      scrapedAtMs: load.scrapedAtMs,
    },
    take: (batch) => tally.accept(batch, sink(batch)),
  });
}

/** Reads the file to its end, or to a fault; gives the places beside its records too. */
async function readRecords({ opened, isPartial, onProgress }: FileLoad, binder: Binder, decoder: Decoder) {
  const { source, layout } = opened;
  let leftOut: ReadonlyMap<string, LeftOutPlace> = new Map();
  let footer: readonly number[] = [];
  const reading: FileReading = {
    source,
    binder,
    decoder,
    isPartial: isPartial === true,
    onLeftOut: (places) => {
      leftOut = places;
    },
    onFooter: (lines) => {
      footer = lines;
    },
    ...(onProgress && { onRead: (doneBytes: number) => onProgress(source.file, doneBytes, source.bytes) }),
  };
  // Most dumps are JSON: they do not wait for the code that reads CSV.
  const readFault = await ('dialect' in layout
    ? (await import('./place/csv-reader.js')).readCsv(reading, layout)
    : readJson(reading, layout));
  binder.countColumns();
  return { readFault, leftOut, footer };
}
