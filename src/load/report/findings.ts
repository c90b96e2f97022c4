/**
 * What a load has found: one list, which the start, `check`, `--json`, the home page and `--strict` filter and print. A finding is made
 * where it is known; `FINDING_KINDS` says of each kind who is told.
 *
 *     {kind: 'guess', file: 'shop.csv', field: 'rating', text: 'guessed from "User Rating"', advice: '{"User Rating": null} in …'}
 *     rating: guessed from "User Rating"; {"User Rating": null} in shop.mapping.json keeps it out
 */

import type { FieldKind } from '../../model.js';
import type { Example, Finding, FindingKind, LoadReport } from '../../package.js';
import { quote } from '../../text.js';

export type { Finding, FindingKind } from '../../package.js';

/** `alias`: a field is read from one of its usual names, which nobody has to check. */
export type Severity = 'warning' | 'repair' | 'note' | 'alias';

interface KindRow {
  readonly severity: Severity;
  /** Whether the start prints it, since a person has to know; the first kinds stand first. */
  readonly isAtStart?: true;
  /** Whether it goes to standard error, whatever else is printed. */
  readonly isAlwaysSaid?: true;
  /** Whether it may be a mistake of the source: the line of its file counts it as a warning. */
  readonly isMistake?: true;
  /** The noun in messages of `--strict`, which allows no such finding. */
  readonly strictNoun?: string;
}

export const FINDING_KINDS: Readonly<Record<FindingKind, KindRow>> = {
  'nothing-served': { severity: 'warning', isAlwaysSaid: true },
  mapping: { severity: 'warning', isAlwaysSaid: true },
  encoding: { severity: 'warning', isAlwaysSaid: true },
  'left-out': { severity: 'warning', isAtStart: true },
  'repeated-names': { severity: 'warning', isAtStart: true },
  refused: { severity: 'warning', isAtStart: true, strictNoun: 'refusal' },
  names: { severity: 'warning', isAtStart: true },
  untitled: { severity: 'note', isAtStart: true },
  empty: { severity: 'warning', isAtStart: true, strictNoun: 'repair' },
  'read-twice': { severity: 'note', isAtStart: true },
  'date-order': { severity: 'note', isAtStart: true },
  'last-rows': { severity: 'note', isAtStart: true },
  calendar: { severity: 'note', isAtStart: true },
  'decimal-sign': { severity: 'note', isAtStart: true },
  'bare-numbers': { severity: 'note' },
  language: { severity: 'note', isAtStart: true },
  repeated: { severity: 'note', isAtStart: true },
  replaced: { severity: 'note' },
  ids: { severity: 'note' },
  'other-types': { severity: 'note' },
  place: { severity: 'note' },
  guess: { severity: 'note', strictNoun: 'guess' },
  unsuited: { severity: 'note' },
  html: { severity: 'note' },
  'several-values': { severity: 'note' },
  renamed: { severity: 'alias' },
  alternative: { severity: 'note' },
  repaired: { severity: 'repair', strictNoun: 'repair' },
  'left-null': { severity: 'warning', strictNoun: 'repair' },
  'relative-date': { severity: 'note' },
  'not-kept': { severity: 'note' },
  zeros: { severity: 'warning', isMistake: true },
  future: { severity: 'warning', isMistake: true },
  'relative-address': { severity: 'warning', isMistake: true },
  'double-encoded': { severity: 'warning', isMistake: true },
  'control-characters': { severity: 'warning', isMistake: true },
  currencies: { severity: 'warning', isMistake: true },
  scales: { severity: 'warning', isMistake: true },
  units: { severity: 'warning', isMistake: true },
  doubtful: { severity: 'warning', isMistake: true },
  'time-zone': { severity: 'note' },
  'no-records': { severity: 'warning', isMistake: true },
  'no-values': { severity: 'note' },
};

/** A finding about one file, whose name is added where the findings of all are put together. */
export type FileFinding = Omit<Finding, 'file' | 'collection'>;

interface FindingParts extends Partial<Pick<Finding, 'field' | 'count' | 'line' | 'examples'>> {
  readonly advice?: string | undefined;
}

export const finding = (
  kind: FindingKind,
  text: string,
  { count = 1, examples = [], advice, ...more }: FindingParts = {},
): FileFinding => ({ kind, ...more, ...(advice !== undefined && { advice }), count, text, examples });

/** The finding on what was counted; none where that is nothing. */
export const countedFinding = (
  count: number,
  kind: FindingKind,
  text: string,
  parts: Omit<FindingParts, 'count'> = {},
): readonly FileFinding[] => (count === 0 ? [] : [finding(kind, text, { count, ...parts })]);

/** All that a finding says but its file. */
export function findingLine(
  { field, text, advice, examples }: FileFinding,
  maxExamples: number = Number.POSITIVE_INFINITY,
): string {
  const suchAs =
    examples.length === 0 ? '' : `, such as ${examples.slice(0, maxExamples).map(exampleWithLine).join('; ')}`;
  return `${field === undefined ? '' : `${field}: `}${text}${suchAs}${advice === undefined ? '' : `; ${advice}`}`;
}

const exampleWithLine = ({ record, line, raw, read }: Example): string =>
  `${raw}${read === null ? '' : ` → ${quote(read)}`} (record ${record}, line ${line})`;

/** Lines for findings; neighbours that tell the same of several fields share one. */
export function findingLines(findings: readonly FileFinding[]): readonly string[] {
  const merged: FileFinding[] = [];
  for (const each of findings) {
    const last = merged.at(-1);
    const isSame = last?.field !== undefined && each.field !== undefined && sameTelling(last) === sameTelling(each);
    if (isSame) merged[merged.length - 1] = { ...last, field: `${last.field}, ${each.field}` };
    else merged.push(each);
  }
  return merged.map((each) => findingLine(each));
}

const sameTelling = ({ kind, text, advice, examples }: FileFinding): string =>
  JSON.stringify([kind, text, advice, examples]);

/** Whether `check` has more to tell than how many records there are. */
export const hasFindings = ({ findings }: Pick<LoadReport, 'findings'>): boolean =>
  findings.some(({ kind }) => {
    const { severity, isAtStart, isAlwaysSaid } = FINDING_KINDS[kind];
    return isAlwaysSaid !== true && (severity === 'warning' || severity === 'repair' || isAtStart === true);
  });

/** The first finding that `--strict` does not allow, by its line. */
export function strictFault(findings: readonly Finding[]) {
  const [first] = findings
    .filter(({ kind }) => FINDING_KINDS[kind].strictNoun !== undefined)
    .toSorted((a, b) => firstLineOf(a) - firstLineOf(b));
  if (first?.file === undefined) return undefined;
  const { file, kind, line = first.examples[0]?.line } = first;
  const message = `${findingLine(first, 1)}; --strict allows no ${FINDING_KINDS[kind].strictNoun}`;
  return { file, ...(line !== undefined && { line }), message };
}

const firstLineOf = ({ line, examples }: Finding): number => line ?? examples[0]?.line ?? 0;

/** The names of kinds of fields in reports. */
export const KIND_TEXTS: Readonly<Record<FieldKind, string>> = {
  integer: 'integer',
  number: 'number',
  date: 'date',
  boolean: 'true or false',
  text: 'text',
  code: 'code',
  url: 'address',
  texts: 'list of texts',
  codes: 'list of codes',
  json: 'JSON, only shown',
};
