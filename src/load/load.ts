/** Snapshot files → valid records, handed to a sink in batches, and a report of what was found. */
import { cellOf, type RecordBatch } from '../batch.js';
import type { Language } from '../languages.js';
import { type CollectionModel, collections, type Field, ID_FIELD } from '../model.js';
import { quote } from '../text.js';
import { assignCollections, type Opener, ownCollections } from './fields/assign.js';
import { NO_MAPPING } from './fields/columns.js';
import { type Decisions, differenceLine } from './fields/differences.js';
import { foundFields } from './fields/found-fields.js';
import { readMapping } from './fields/mapping.js';
import { type FilePlan, type LaterValues, NOTHING_LATER } from './fields/plan.js';
import { NO_SPELLINGS, type Spellings, spellingsOf } from './fields/spellings.js';
import { type LoadedFile, loadFile, type ReadingOptions } from './load-file.js';
import { type FileLayout, locateRecords, type OpenedFile, openFile } from './open-file.js';
import type { NamedLayout } from './place/json-layout.js';
import { sampledLanguage } from './profile/sample.js';
import { fileFindings } from './report/file-findings.js';
import { type Finding, finding, strictFault } from './report/findings.js';
import { type FileReport, faultText, type LoadReport, type SnapshotFault } from './report/report.js';
import { BatchMemory } from './source/batch-memory.js';
import {
  type Listing,
  listKey,
  listSnapshots,
  mappingNameOf,
  mappingOf,
  type SnapshotFile,
  type SnapshotPlace,
} from './source/folder.js';

/** Takes a batch, which is valid only during the call; returns the ids of its records that replaced earlier ones of the same id. */
export type BatchSink = (batch: RecordBatch) => readonly number[];
/**
 * Called for each collection, also for an empty one, when its fields and the language of its texts are known. Returns the sink of its
 * batches. It is called once more for a collection whose records decide otherwise than the first of them: what its earlier sink took is void.
 */
export type OpenCollection = (model: CollectionModel, language: Language) => BatchSink;

export interface LoadOptions extends SnapshotPlace, Partial<ReadingOptions> {
  readonly onCollection: OpenCollection;
  /** The models of the collections, in place of the documented ones. */
  readonly models?: readonly CollectionModel[];
  /** Where the records stand in JSON files: `threads[].posts[]`. Else the files show it. */
  readonly records?: string;
  /** Whether HTML stays as it is. */
  readonly keepsHtml?: boolean;
  /** Whether a collection is read to its end before any record goes to its sink, so that the sink is opened once. */
  readonly isReadToItsEndFirst?: boolean;
  /** Says which of the collections that have files are read; all of them if not given. */
  readonly chooseCollections?: (names: readonly string[]) => readonly string[];
}

/** The first fault of each file that has one. */
export interface LoadFailed {
  readonly ok: false;
  readonly fault: SnapshotFault;
  readonly others: readonly SnapshotFault[];
}

export type LoadResult = { readonly ok: true; readonly report: LoadReport } | LoadFailed;

export async function loadSnapshots(options: LoadOptions): Promise<LoadResult> {
  const listing = await listSnapshots(options);
  const documented = options.models ?? collections;
  const later = new Map<string, LaterValues>();
  const opener = createOpener(options, later);
  const assigned = await assignCollections(listing, documented, opener, options.as);
  const memory = new BatchMemory();
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

/** Adds the fields of the dump behind the documented ones; in a collection of the user's own, before those that only details show. */
function withFound(model: CollectionModel, dumpFields: readonly Field[]): CollectionModel {
  const isLast = ({ detailOnly }: Field): boolean => model.isOwn === true && detailOnly === true;
  const documented = model.fields.filter((field) => !isLast(field));
  return { ...model, fields: [...documented, ...dumpFields, ...model.fields.filter(isLast)] };
}

const unusedFinding = (file: string, names: readonly string[]): Finding => {
  const text = `no record has a value named ${names.map((name) => quote(name)).join(', ')}`;
  return { file, ...finding('mapping', text, { count: names.length }) };
};

function listingFindings(
  { missing, faults }: Listing,
  files: readonly SnapshotFile[],
  { dir }: SnapshotPlace,
): readonly Finding[] {
  const text = missing
    ? `there is no folder ${dir}, so nothing is served`
    : `there is no dump in ${dir}, so nothing is served: put a .json, .ndjson or .csv file there`;
  return missing || files.length + faults.length === 0 ? [finding('nothing-served', text)] : [];
}

const withoutIsForeign = ({ isForeign: _, ...fault }: SnapshotFault): SnapshotFault => fault;

/** Opens files with their mappings. Where the records of a file stand is found once, whatever it is opened as. `later`: by paths. */
function createOpener(
  { keepsHtml = false, baseUrl, records }: LoadOptions,
  later: ReadonlyMap<string, LaterValues>,
): Opener {
  const layouts = new Map<string, FileLayout>();
  const locate = async (source: SnapshotFile, model: CollectionModel, without?: null) => {
    const path = without === null ? undefined : mappingOf(source);
    const mapping = path === undefined ? NO_MAPPING : await readMapping(model, path, mappingNameOf(source));
    if ('message' in mapping) return mapping;
    const place = source.list === undefined ? (mapping.records ?? records) : undefined;
    const options = { model, mapping, keepsHtml, baseUrl, place };
    const key = place === undefined ? listKey(source) : `${source.path}\n${place}`;
    const layout = layouts.get(key) ?? (await locateRecords(source, options));
    if ('message' in layout) return layout;
    layouts.set(key, layout);
    for (const beside of besidesIn(layout)) layouts.set(listKey({ ...source, list: beside.name }), beside.layout);
    return { options, key, layout };
  };
  return {
    async open(source, model, without) {
      const file = await locate(source, model, without);
      return 'message' in file ? file : openFile(source, file.options, file.layout, later.get(file.key));
    },
    async besides(source, model) {
      const file = await locate(source, model);
      return 'message' in file ? [] : besidesIn(file.layout).map(({ name }) => name);
    },
  };
}

const besidesIn = (layout: FileLayout): readonly NamedLayout[] => ('besides' in layout ? (layout.besides ?? []) : []);

/** The largest of an id and those of a batch. */
function largestIn({ numbers, size }: RecordBatch, id: number): number {
  let largest = id;
  for (let i = 0; i < size; i++) largest = Math.max(largest, numbers[cellOf(ID_FIELD, i)]!);
  return largest;
}

/** The model with what the samples show of its fields: the sign that separates several values in a text, and the currency. */
function withSampled(model: CollectionModel, files: readonly OpenedFile[]): CollectionModel {
  const firstOf = (signIn: (plan: FilePlan) => string | undefined): string | undefined =>
    files.map(({ plan }) => signIn(plan)).find((sign) => sign !== undefined);
  const currency = firstOf((plan) => plan.currency);
  const fields = model.fields.map((field) => {
    const splitBy = firstOf(({ splitSigns }) => splitSigns.get(field.name));
    const isMoney = field.role === 'price' && currency !== undefined;
    return { ...field, ...(splitBy !== undefined && { splitBy }), ...(isMoney && { currency }) };
  });
  return { ...model, fields };
}

/** A collection whose files are opened: their columns and its fields are known. */
interface OpenedCollection {
  readonly model: CollectionModel;
  readonly language: Language;
  readonly opened: readonly OpenedFile[];
  /** Per opened file how it spells dates and numbers. */
  readonly spellings: ReadonlyMap<OpenedFile, Spellings>;
  readonly faults: readonly SnapshotFault[];
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
}

async function loadCollection(
  model: CollectionModel,
  sources: readonly SnapshotFile[],
  options: LoadOptions,
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
    first.faults.length > 0 ? collection : await reopenCollection(model, collection, sources, options, loading);
  const differences = differencesOf(collection, finalCollection);
  const isReadAgain = differences.size > 0 || (isTrial && first.faults.length === 0);
  const finalFiles = isReadAgain ? await readCollection(finalCollection, options, loading, true) : first;
  const findings = [
    ...finalFiles.unused,
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

async function openCollection(
  model: CollectionModel,
  sources: readonly SnapshotFile[],
  options: LoadOptions,
  { open }: Opener,
): Promise<OpenedCollection> {
  // A file with a fault is left out and the others are still read, so that every file's fault is reported.
  const faults: SnapshotFault[] = [];
  const opened: OpenedFile[] = [];
  for (const source of sources) {
    const file = await open(source, model);
    // A mapping that several files share has one fault.
    if (!('message' in file)) opened.push(file);
    else if (!faults.some((fault) => faultText(fault) === faultText(file))) faults.push(file);
  }
  const language = options.language ?? sampledLanguage(opened.map(({ layout }) => layout.sample));
  const dumpFields = options.columns === 'documented' ? [] : foundFields(model, opened);
  const sampled = withSampled(withFound(model, dumpFields), opened);
  const spellings = new Map(
    opened.map((file) => [file, spellingsOf(sampled, file.plan, file.values, file.mapping)] as const),
  );
  return { model: sampled, language, opened, spellings, faults };
}

/** The collection, planned once more where its records have shown more than the first of them. */
async function reopenCollection(
  base: CollectionModel,
  collection: OpenedCollection,
  sources: readonly SnapshotFile[],
  options: LoadOptions,
  { opener, later }: Loading,
): Promise<OpenedCollection> {
  const hasShownMore = ({ source }: OpenedFile): boolean => {
    const { records, kinds } = later.get(listKey(source)) ?? NOTHING_LATER;
    return records.length + kinds.size > 0;
  };
  if (!collection.opened.some(hasShownMore)) return collection;
  const [own] = base.isOwn ? await ownCollections(sources, options.models ?? collections, opener) : [];
  return openCollection(own ?? base, sources, options, opener);
}

const decisionsOn = (opened: OpenedFile, { model, spellings }: OpenedCollection): Decisions => ({
  opened,
  model,
  spellings: spellings.get(opened) ?? NO_SPELLINGS,
});

/** Per file a line on what is decided otherwise about it; none for a file of which all decisions stay. */
function differencesOf(before: OpenedCollection, after: OpenedCollection): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const [i, opened] of before === after ? [] : after.opened.entries()) {
    const earlier = before.opened[i];
    const line = earlier && differenceLine(decisionsOn(earlier, before), decisionsOn(opened, after));
    if (line !== undefined) lines.set(opened.source.file, line);
  }
  return lines;
}

/** Reads the files of a collection into a sink that is opened for it. */
async function readCollection(
  { model, language, opened, spellings }: OpenedCollection,
  options: LoadOptions,
  { later, memory }: Loading,
  isReadAgain: boolean,
): Promise<ReadCollection> {
  const sink = options.onCollection(model, language);
  const faults: SnapshotFault[] = [];
  const loadedFiles: (LoadedFile & { readonly opened: OpenedFile })[] = [];
  // Per mapping file the names in it that no record has so far.
  const unusedNames = new Map<string, Set<string>>();
  let largestId = 0;
  // Files without ids are read last, so that the ids by position follow the largest id.
  for (const file of opened.toSorted((a, b) => Number(b.hasIds) - Number(a.hasIds))) {
    const { source, plan } = file;
    const mappingName = mappingNameOf(source);
    const names =
      unusedNames.get(mappingName) ?? new Set([...file.mapping.keys(), ...(file.mapping.kinds?.keys() ?? [])]);
    unusedNames.set(mappingName, names);
    for (const path of plan.usedPaths) names.delete(path);
    const firstId = largestId + 1;
    const loaded = await loadFile({
      ...{ nowMs: Date.now(), strict: false, ...options },
      opened: file,
      spellings: spellings.get(file) ?? NO_SPELLINGS,
      ...{ model, language, memory, isReadAgain },
      firstId: file.hasIds ? undefined : firstId,
      unusedNames: names,
      sink: (batch) => {
        largestId = largestIn(batch, largestId);
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
  return { faults, loaded: loadedFiles, unused: unused.map(([file, names]) => unusedFinding(file, [...names])) };
}
