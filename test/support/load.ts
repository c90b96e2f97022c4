/** A folder made of the given files, loaded, with what came out of it: the documented fields, unless a test says otherwise. */
import { loadSnapshots, type SnapshotLoadOptions } from '../../src/load/load.js';
import { FINDING_KINDS, type FindingKind, findingLine } from '../../src/load/report/findings.js';
import { type FileReport, faultText, type LoadReport } from '../../src/load/report/report.js';
import { warningLines } from '../../src/load/report/report-text.js';
import { BatchMemory } from '../../src/load/source/batch-memory.js';
import type { CollectionModel } from '../../src/model.js';
import type { RecordValues } from './batch-writer.js';
import { recordsIn } from './batches.js';
import { type Files, withFolder } from './program.js';

/** One for all loads, none of which begins before another has ended. */
export const memory = new BatchMemory();

export async function loadFolder(dir: string, options: Partial<SnapshotLoadOptions> = {}) {
  const recordsOf = new Map<string, RecordValues[]>();
  const models = new Map<string, CollectionModel>();
  const result = await loadSnapshots({
    dir,
    columns: 'documented',
    memory,
    onCollection: (model) => {
      models.set(model.name, model);
      const records: RecordValues[] = [];
      const ids = new Set<unknown>();
      // A collection that is read again begins anew.
      recordsOf.set(model.name, records);
      return (batch) => {
        const replaced: number[] = [];
        for (const values of recordsIn(model, batch)) {
          if (ids.has(values[0])) replaced.push(Number(values[0]));
          records.push(values);
          ids.add(values[0]);
        }
        return replaced;
      };
    },
    ...options,
  });
  const records = [...recordsOf.values()].flat();
  const files: readonly ToldFile[] = result.ok ? result.report.files.map((file) => toldFile(file, result.report)) : [];
  const warnings = result.ok ? warningLines(result.report) : [];
  const fault = result.ok ? undefined : faultText(result.fault);
  return { result, records, recordsOf, models, files, warnings, fault };
}

/** Kinds of findings that tell how a file is read. */
const DECISIONS: readonly FindingKind[] = [
  ...([
    'left-out',
    'names',
    'read-twice',
    'last-rows',
    'decimal-sign',
    'place',
    'guess',
    'unsuited',
    'html',
    'several-values',
  ] as const),
];

/** A report on a file with the lines of its findings: decisions about it, its orders of day and month, possible mistakes in it. */
export interface ToldFile extends FileReport {
  readonly decisions: readonly string[];
  readonly dateOrders: readonly string[];
  readonly mistakes: readonly string[];
}

/** The lines of the findings of some kinds. */
export const linesOf = ({ findings }: LoadReport, isWanted: (kind: FindingKind) => boolean): readonly string[] =>
  findings.filter(({ kind }) => isWanted(kind)).map((each) => findingLine(each));

function toldFile(file: FileReport, report: LoadReport): ToldFile {
  const own = { ...report, findings: report.findings.filter((each) => each.file === file.file) };
  return {
    ...file,
    decisions: linesOf(own, (kind) => DECISIONS.includes(kind)),
    dateOrders: linesOf(own, (kind) => kind === 'date-order'),
    mistakes: linesOf(own, (kind) => FINDING_KINDS[kind].isMistake === true || kind === 'no-values'),
  };
}

export const decisionsIn = (report: LoadReport): readonly string[] =>
  linesOf(report, (kind) => DECISIONS.includes(kind));
export const mistakesIn = (report: LoadReport): readonly string[] =>
  linesOf(report, (kind) => FINDING_KINDS[kind].isMistake === true);

export const loadFiles = (files: Files, options: Partial<SnapshotLoadOptions> = {}) =>
  withFolder(files, (dir) => loadFolder(dir, options));
