/**
 * How do files become records of collections?
 * Takes: a folder or paths, and a sink for each collection (`LoadOptions`).
 * Gives: batches of valid records to the sinks, and a report of what was repaired, refused or guessed. Where all records of a
 * collection decide otherwise than the first ones did, its sink is opened anew, and its files are read once more.
 * Skip: which collection a file feeds (`assign.ts`), the wording of findings (`report/`).
 */
import { cellOf, type RecordBatch } from '../batch.js';
import type { Language } from '../languages.js';
import { type CollectionModel, collections, ID_FIELD } from '../model.js';
import { assignCollections, type Opener, ownCollections } from './fields/assign.js';
import type { LaterValues } from './fields/plan.js';
import { NO_SPELLINGS } from './fields/spellings.js';
import { type LoadedFile, loadFile, type ReadingOptions } from './load-file.js';
import type { OpenedFile } from './open-file.js';
import {
  type CollectionOptions,
  decisionsOn,
  differencesOf,
  type OpenedCollection,
  openCollection,
  reopenCollection,
} from './opened-collection.js';
import { createOpener, type OpenerOptions } from './opener.js';
import { fileFindings } from './report/file-findings.js';
import { type Finding, strictFault } from './report/findings.js';
import { listingFindings, unusedNamesFinding } from './report/listing-findings.js';
import { RepeatCounter } from './report/repeats.js';
import type { FileReport, LoadReport, SnapshotFault } from './report/report.js';
import { BatchMemory } from './source/batch-memory.js';
import { listKey, listSnapshots, mappingNameOf, type SnapshotFile, type SnapshotPlace } from './source/folder.js';

/** Takes a batch, which is valid only during the call; returns the ids of its records that replaced earlier ones of the same id. */
export type BatchSink = (batch: RecordBatch) => readonly number[];
/**
 * Called for each collection, also for an empty one, when its fields and the language of its texts are known. Returns the sink of its
 * batches. It is called once more for a collection whose records decide otherwise than the first of them: what its earlier sink took is void.
 */
export type OpenCollection = (model: CollectionModel, language: Language) => BatchSink;

export interface SnapshotLoadOptions extends SnapshotPlace, OpenerOptions, CollectionOptions, Partial<ReadingOptions> {
  readonly onCollection: OpenCollection;
  /** Whether a collection is read to its end before any record goes to its sink, so that the sink is opened once. */
  readonly isReadToItsEndFirst?: boolean;
  /** Says which of the collections that have files are read; all of them if not given. */
  readonly chooseCollections?: (names: readonly string[]) => readonly string[];
  /** Where batches are made; loads that run one after the other may share it, which spares garbage. */
  readonly memory?: BatchMemory;
}

/** The first fault of each file that has one. */
export interface LoadFailed {
  readonly ok: false;
  readonly fault: SnapshotFault;
  readonly others: readonly SnapshotFault[];
}

export type LoadResult = { readonly ok: true; readonly report: LoadReport } | LoadFailed;

/** Loads the files of a place, collection by collection, each into the sink that `onCollection` opens for it. */
export async function loadSnapshots(options: SnapshotLoadOptions): Promise<LoadResult> {
  const listing = await listSnapshots(options);
  const documented = options.models ?? collections;
  const later = new Map<string, LaterValues>();
  const opener = createOpener(options, later);
  const assigned = await assignCollections(listing, documented, opener, options.as);
  const { memory = new BatchMemory() } = options;
  const files: FileReport[] = [];
  const faults = [...listing.faults, ...assigned.faults];
  const findings = [...listingFindings(listing, assigned.files, options), ...assigned.leftOut];
  const isSample = listing.isSample ? { isSample: true as const } : {};
  const models = [...documented, ...(await ownCollections(assigned.files, documented, opener))];
  const presentModels = models.filter(({ name }) => assigned.files.some(({ collection }) => collection === name));
  const chosen = options.chooseCollections?.(presentModels.map(({ name }) => name));
  for (const model of chosen === undefined ? models : models.filter(({ name }) => chosen.includes(name))) {
    const sources = assigned.files.filter(({ collection }) => collection === model.name);
    const loaded = await loadCollection(model, sources, options, { opener, later, memory });
    faults.push(...loaded.faults);
    files.push(...loaded.reports);
    findings.push(...loaded.findings);
  }
  const [fault, ...others] = faults.map(withoutIsForeign);
  if (fault !== undefined) return { ok: false, fault, others };
  return { ok: true, report: { files, ignored: [...listing.ignored, ...assigned.ignored], findings, ...isSample } };
}

const withoutIsForeign = ({ isForeign: _, ...fault }: SnapshotFault): SnapshotFault => fault;

/** The largest of an id and those of a batch. */
function largestIn({ numbers, size }: RecordBatch, id: number): number {
  let largest = id;
  for (let i = 0; i < size; i++) largest = Math.max(largest, numbers[cellOf(ID_FIELD, i)]!);
  return largest;
}

interface Loading {
  readonly opener: Opener;
  /** By the path of a file what its records have shown. */
  readonly later: Map<string, LaterValues>;
  readonly memory: BatchMemory;
}

interface CollectionLoad {
  readonly faults: readonly SnapshotFault[];
  readonly reports: readonly FileReport[];
  readonly findings: readonly Finding[];
}

/** The result of reading the files of a collection once. */
interface ReadCollection {
  readonly faults: readonly SnapshotFault[];
  readonly loaded: readonly (LoadedFile & { readonly opened: OpenedFile })[];
  readonly unused: readonly Finding[];
  readonly repeated: readonly Finding[];
}

async function loadCollection(
  model: CollectionModel,
  sources: readonly SnapshotFile[],
  options: SnapshotLoadOptions,
  loading: Loading,
): Promise<CollectionLoad> {
  const collection = await openCollection(model, sources, options, loading.opener);
  const isTrial = options.isReadToItsEndFirst === true;
  const first = await readCollection(
    collection,
    isTrial ? { ...options, onCollection: noSink } : options,
    loading,
    false,
  );
  const finalCollection =
    first.faults.length > 0
      ? collection
      : await reopenCollection(model, collection, sources, options, loading.opener, loading.later);
  const differences = differencesOf(collection, finalCollection);
  const isReadAgain = differences.size > 0 || (isTrial && first.faults.length === 0);
  const finalFiles = isReadAgain ? await readCollection(finalCollection, options, loading, true) : first;
  const findings = [
    ...finalFiles.unused,
    ...finalFiles.repeated,
    ...finalFiles.loaded.flatMap(({ report, findings: readingFindings, opened }): readonly Finding[] => {
      const { file, collection } = report;
      const finalFile =
        finalCollection.opened.find(({ source }) => listKey(source) === listKey(opened.source)) ?? opened;
      const difference = differences.get(file);
      const decisions = { ...decisionsOn(finalFile, finalCollection), difference, readingFindings };
      return fileFindings(report, decisions).map((each) => ({ ...each, file, collection }));
    }),
  ];
  const fault = options.strict === true && finalFiles.faults.length === 0 ? strictFault(findings) : undefined;
  const faults = [...collection.faults, ...finalFiles.faults, ...(fault === undefined ? [] : [fault])];
  const fileOrder = ({ file }: SnapshotFault) => sources.findIndex((source) => source.file === file);
  return {
    faults: faults.sort((a, b) => fileOrder(a) - fileOrder(b)),
    reports: finalFiles.loaded.map(({ report }) => report),
    findings,
  };
}

const noSink: OpenCollection = () => () => [];

/** Reads the files of a collection into a sink that is opened for it. */
async function readCollection(
  { model, language, opened, spellings }: OpenedCollection,
  options: SnapshotLoadOptions,
  { later, memory }: Loading,
  isReadAgain: boolean,
): Promise<ReadCollection> {
  const sink = options.onCollection(model, language);
  const faults: SnapshotFault[] = [];
  const loadedFiles: (LoadedFile & { readonly opened: OpenedFile })[] = [];
  // Per mapping file the names in it that no record has so far.
  const unusedNames = new Map<string, Set<string>>();
  let largestId = 0;
  const withoutIds = opened.filter(({ hasIds }) => !hasIds);
  const repeats = withoutIds.length > 1 ? new RepeatCounter(model) : null;
  // Files without ids are read last, so that the ids by position follow the largest id.
  for (const file of opened.toSorted((a, b) => Number(b.hasIds) - Number(a.hasIds))) {
    const { source, plan } = file;
    const mappingName = mappingNameOf(source);
    const names =
      unusedNames.get(mappingName) ?? new Set([...file.mapping.keys(), ...(file.mapping.kinds?.keys() ?? [])]);
    unusedNames.set(mappingName, names);
    for (const path of plan.usedPaths) names.delete(path);
    const firstId = largestId + 1;
    const counted = file.hasIds ? null : repeats;
    counted?.nextFile();
    const loaded = await loadFile({
      ...{ nowMs: Date.now(), strict: false, ...options },
      opened: file,
      spellings: spellings.get(file) ?? NO_SPELLINGS,
      ...{ model, language, memory, isReadAgain },
      firstId: file.hasIds ? undefined : firstId,
      unusedNames: names,
      sink: (batch) => {
        largestId = largestIn(batch, largestId);
        counted?.add(batch);
        return sink(batch);
      },
    });
    if ('message' in loaded) {
      faults.push(loaded);
      continue;
    }
    if (!isReadAgain) later.set(listKey(source), loaded.later);
    // Ids by position count refused records too.
    if (!file.hasIds) largestId = Math.max(largestId, firstId + loaded.report.records - 1);
    loadedFiles.push({ ...loaded, opened: file });
  }
  const unused = [...unusedNames].filter(([, names]) => names.size > 0);
  const repeated = repeats?.finding ?? null;
  const lastFile = loadedFiles.at(-1)?.report.file;
  return {
    faults,
    loaded: loadedFiles,
    unused: unused.map(([file, names]) => unusedNamesFinding(file, [...names])),
    repeated:
      repeated === null || lastFile === undefined ? [] : [{ ...repeated, file: lastFile, collection: model.name }],
  };
}
