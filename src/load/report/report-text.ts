/** The load report as text: one line per file at start-up, everything that was found for `check` and the home page. */
import { count, grouped, quote } from '../../text.js';
import { isRelativeDate } from '../values/dates.js';
import { KIND_TEXTS } from './kind-texts.js';
import type { Example, FieldReport, FileReport, LoadReport, SourceName } from './report.js';
import { MAX_COUNTED_NAMES } from './tally.js';

/** `articles.json: 20,100 records, 5.1 MB, 0 refused`, with what was repaired or left null if anything was. */
function fileLine(file: FileReport): string {
  const parts = [count(file.accepted, 'record'), size(file.bytes), `${grouped(file.refused)} refused`];
  const repaired = sum(file.fields, (field) => field.repaired);
  const leftNull = sum(file.fields, (field) => field.leftNull);
  if (file.replaced > 0) parts.push(`${grouped(file.replaced)} replaced`);
  if (repaired > 0) parts.push(`${count(repaired, 'value')} repaired`);
  if (leftNull > 0) parts.push(`${count(leftNull, 'value')} left null`);
  const otherTypeRecords = sum(file.otherTypes, ({ records }) => records);
  if (otherTypeRecords > 0) parts.push(`${grouped(otherTypeRecords)} of other types left out`);
  if (file.suspicions.length > 0) parts.push(count(file.suspicions.length, 'warning'));
  return `${file.file}: ${parts.join(', ')}`;
}

/** A remark about a file. An `alias` is another name of a field than its own. */
export interface Remark {
  readonly kind: 'refusal' | 'unreadable' | 'suspicion' | 'repair' | 'note' | 'alias';
  readonly text: string;
}

/** The words for records that were refused, and for values that were repaired or left null; and how many examples follow. */
export interface RemarkWords {
  readonly refused: string;
  readonly repaired: string;
  readonly leftNull: string;
  readonly maxExamples: number;
}

const REPORT_WORDS: RemarkWords = {
  refused: 'refused',
  repaired: 'repaired',
  leftNull: 'left null',
  maxExamples: Number.POSITIVE_INFINITY,
};

const notes = (texts: readonly string[]): readonly Remark[] => texts.map((text) => ({ kind: 'note', text }));

/** The remarks that may call for an action: refusals, the order of dates, the language. */
const actionRemarks = (file: FileReport, words: RemarkWords): readonly Remark[] => [
  ...refusalRemarks(file, words),
  ...notes(file.dateOrder === undefined ? [] : [file.dateOrder]),
  ...notes(file.language === 'english' ? [] : [languageLine(file)]),
];

const languageLine = ({ collection, language }: FileReport): string =>
  `${collection} are searched as ${language[0]?.toUpperCase()}${language.slice(1)}: --language english has it otherwise`;

const takenLine = ({ collection }: FileReport): string => `taken for ${collection}; --as NAME overrules`;

/** The lines that start-up prints: one per file, below it what was refused or assumed, and what was ignored. */
export const startUpText = ({ files, ignored }: LoadReport): readonly string[] => [
  ...files.flatMap((file) => [
    fileLine(file),
    ...[takenLine(file), ...actionRemarks(file, REPORT_WORDS).map(({ text }) => text)].map(indented),
  ]),
  ...ignoredLines(ignored),
];

const ignoredLines = (ignored: readonly string[]): readonly string[] => [
  ...ignored.slice(0, MAX_LISTED).map((text) => `ignored: ${text}`),
  ...(ignored.length > MAX_LISTED ? [`ignored: ${grouped(ignored.length - MAX_LISTED)} more`] : []),
];

/** The lines that `check` prints: each file with all that is to be said about it. */
export const checkText = ({ files, ignored }: LoadReport): readonly string[] => [
  ...files.flatMap((file) => [
    fileLine(file),
    ...[takenLine(file), ...remarksOn(file, REPORT_WORDS).map(remarkLine), ...foundLines(file)].map(indented),
    '',
  ]),
  ...ignoredLines(ignored),
  totalLine(files),
];

const indented = (line: string): string => `  ${line}`;

const remarkLine = ({ kind, text }: Remark): string => (kind === 'suspicion' ? `warning: ${text}` : text);

/** All that is to be said about a file besides its numbers. */
export function remarksOn(file: FileReport, words: RemarkWords): readonly Remark[] {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  if (file.replaced > 0) say(replacedLine(file));
  if (file.idsAssigned > 0) say(`id: assigned by position to ${count(file.idsAssigned, 'record')}`);
  if (file.otherTypes.length > 0) say(`of other types, left out: ${namesText(file.otherTypes, Number.NaN)}`);
  for (const note of file.notes) say(note);
  const unmapped =
    file.notKept.length === 0
      ? []
      : [
          `not kept: ${namesText(file.notKept, file.records)}; {${quote(file.notKept[0]?.name)}: FIELD} in ${file.mapping} reads one as a field`,
        ];
  return [
    ...actionRemarks(file, words),
    ...notes(lines),
    ...file.fields.flatMap((field) => fieldRemarks(field, file, words)),
    ...notes(unmapped),
    ...file.suspicions.map((text): Remark => ({ kind: 'suspicion', text })),
  ];
}

/** A line for each found field: `listPrice: number from list-price, in 120 records; {"list-price": null} in … keeps it out`. */
export const foundLines = ({ fields, mapping }: FileReport): readonly string[] =>
  fields.flatMap(({ field, found, present }) => {
    if (found === undefined) return [];
    if (found.part !== undefined)
      return [`${field}: the ${found.part} in ${found.from}, of ${count(present, 'record')}`];
    const from = found.from === field ? '' : ` from ${found.from}`;
    const unit = found.unit === undefined ? '' : `, without its unit ${quote(found.unit)}`;
    const out = `{${JSON.stringify(found.from)}: null} in ${mapping} keeps it out`;
    const key = found.mayBeKey ? ', stands for ids in paths if no two are the same' : '';
    return [`${field}: ${KIND_TEXTS[found.kind]}${from}${unit}, in ${count(present, 'record')}${key}; ${out}`];
  });

function replacedLine({ replaced, replacedIds }: FileReport): string {
  const unlisted = replaced - replacedIds.length;
  const ids = `${replacedIds.join(', ')}${unlisted > 0 ? ` and ${grouped(unlisted)} more` : ''}`;
  return `replaced: ${count(replaced, 'earlier record')} of the same id: ${ids}`;
}

/** `{"produkt": "title"} or {"marke": "title"} in shop.mapping.json reads it`. */
function mappingAdvice(field: string, columns: readonly string[], mapping: string): string {
  const choices = columns.map((column) => `{${JSON.stringify(column)}: ${JSON.stringify(field)}}`);
  return `${choices.join(' or ')} in ${mapping} reads it`;
}

function refusalRemarks(
  { refusals, refused, accepted, mapping, titleCandidates }: FileReport,
  words: RemarkWords,
): readonly Remark[] {
  const texts = refusals.map(({ records, record, line, reason }) =>
    records === 1
      ? `record ${record} (line ${line}): ${reason}`
      : `${grouped(records)} records: ${reason}; the first is record ${record} (line ${line})`,
  );
  const unlisted = refused - sum(refusals, ({ records }) => records);
  if (unlisted > 0) texts.push(`${grouped(unlisted)} more`);
  const remarks = texts.map((text): Remark => ({ kind: 'refusal', text: `${words.refused}: ${text}` }));
  if (accepted > 0 || !refusals.some(({ reason }) => reason === 'title is missing')) return remarks;
  const columns = titleCandidates.length > 0 ? titleCandidates : ['NAME'];
  return [...remarks, ...notes([`no column is the title: ${mappingAdvice('title', columns, mapping)}`])];
}

function fieldRemarks(report: FieldReport, { mapping }: FileReport, words: RemarkWords): readonly Remark[] {
  const { field, found, isGuessed, renamedFrom, passedOver, repaired, repairs, leftNull, leftNullExamples } = report;
  const remarks: Remark[] = [];
  const say = (kind: Remark['kind'], text: string) => remarks.push({ kind, text: `${field}: ${text}` });
  // A note tells the name of a guess already.
  if (found === undefined && renamedFrom.length > (isGuessed ? 1 : 0))
    say('alias', `read from ${renamedFrom.map(({ name }) => name).join(', ')}`);
  if (passedOver.length > 0)
    say(
      'note',
      `not read from ${passedOver.map(({ name }) => name).join(', ')}, which would fit too; ${JSON.stringify({ [passedOver[0]?.name ?? '']: field })} in ${mapping} reads it instead`,
    );
  const { maxExamples } = words;
  const suchAs = (examples: readonly Example[]): string => examplesText(examples.slice(0, maxExamples));
  if (repaired > 0) say('repair', `${grouped(repaired)} ${words.repaired}${suchAs(repairs)}`);
  if (leftNull > 0) say('unreadable', `${grouped(leftNull)} ${words.leftNull}${suchAs(leftNullExamples)}`);
  const relative = leftNullExamples.find(({ raw }) => isRelativeText(raw));
  if (relative) say('note', `--scraped-at DATE gives the time from which ${relative.raw} counts`);
  return remarks;
}

/** Whether a cell, quoted as JSON, is a relative date such as `3 hours ago`. */
const isRelativeText = (raw: string): boolean => raw.startsWith('"') && isRelativeDate(raw.slice(1, -1));

const examplesText = (examples: readonly Example[]): string =>
  examples.length === 0 ? '' : `, such as ${examples.map(exampleText).join('; ')}`;

const exampleText = ({ record, line, raw, read }: Example): string =>
  `${raw}${read === null ? '' : ` → ${quote(read)}`} (record ${record}, line ${line})`;

const MAX_LISTED = 20;

function namesText(names: readonly SourceName[], records: number): string {
  const texts = names
    .slice(0, MAX_LISTED)
    .map((name) => (name.records === records ? name.name : `${name.name} (${count(name.records, 'record')})`));
  const atLeast = names.length === MAX_COUNTED_NAMES ? 'at least ' : '';
  const more = names.length > MAX_LISTED ? ` and ${atLeast}${grouped(names.length - MAX_LISTED)} more` : '';
  return `${texts.join(', ')}${more}`;
}

function totalLine(files: readonly FileReport[]): string {
  const accepted = sum(files, (file) => file.accepted);
  const refused = sum(files, (file) => file.refused);
  return `${count(files.length, 'file')}, ${count(accepted, 'record')}, ${refused === 0 ? 'none' : grouped(refused)} refused`;
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

const size = (bytes: number): string =>
  bytes < 1e3
    ? count(bytes, 'byte')
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
