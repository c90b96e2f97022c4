/** The load report as text: one line per file at the start with what a person must know, everything that was found for `check`. */
import { count, grouped, quote } from '../../text.js';
import { FINDING_KINDS, type Finding, findingLine, findingLines, KIND_TEXTS } from './findings.js';
import type { FileReport, LoadReport } from './report.js';

/** The start prints no more findings; `check` prints all. */
const MAX_START_LINES = 5;

/** `articles.json: 20,100 records, 5.1 MB, 0 refused`, with what was repaired or left null if anything was. */
function fileLine(file: FileReport, findings: readonly Finding[]): string {
  const parts = [count(file.accepted, 'record'), size(file.bytes), `${grouped(file.refused)} refused`];
  const repaired = sum(file.fields, (field) => field.repaired);
  const leftNull = sum(file.fields, (field) => field.leftNull);
  if (file.replaced > 0) parts.push(`${grouped(file.replaced)} replaced`);
  if (repaired > 0) parts.push(`${count(repaired, 'value')} repaired`);
  if (leftNull > 0) parts.push(`${count(leftNull, 'value')} left null`);
  const otherTypeRecords = sum(file.otherTypes, ({ records }) => records);
  if (otherTypeRecords > 0) parts.push(`${grouped(otherTypeRecords)} of other types left out`);
  const mistakes = findings.filter(({ kind }) => FINDING_KINDS[kind].isMistake === true).length;
  if (mistakes > 0) parts.push(count(mistakes, 'warning'));
  return `${file.file}: ${parts.join(', ')}`;
}

const takenLine = ({ collection }: FileReport): string => `taken for ${collection}; --as NAME overrules`;

/** The findings about a file that are printed below it. */
const findingsIn = ({ findings }: LoadReport, { file, collection }: FileReport): readonly Finding[] =>
  findings.filter((each) => each.file === file && each.collection === collection && !isAlwaysSaid(each));

const isAlwaysSaid = ({ kind }: Finding): boolean => FINDING_KINDS[kind].isAlwaysSaid === true;

/** The lines that the start prints: one per file, below it what a person must know, and what was ignored. */
export function startUpText(report: LoadReport): readonly string[] {
  let room = MAX_START_LINES;
  let further = 0;
  const lines = report.files.flatMap((file) => {
    const findings = findingsIn(report, file);
    const toldLines = findingLines(findings.filter(({ kind }) => FINDING_KINDS[kind].isAtStart === true));
    const shownLines = toldLines.slice(0, room);
    room -= shownLines.length;
    further += toldLines.length - shownLines.length;
    return [fileLine(file, findings), ...[takenLine(file), ...shownLines].map(indented)];
  });
  const more = further > 0 ? [`  and ${grouped(further)} more: check prints all`] : [];
  return [...lines, ...more, ...ignoredLines(report.ignored)];
}

const MAX_LISTED_IGNORED = 20;

const ignoredLines = (ignored: readonly string[]): readonly string[] => [
  ...ignored.slice(0, MAX_LISTED_IGNORED).map((text) => `ignored: ${text}`),
  ...(ignored.length > MAX_LISTED_IGNORED ? [`ignored: ${grouped(ignored.length - MAX_LISTED_IGNORED)} more`] : []),
];

/** The lines that `check` prints: each file with all that is to be said about it. */
export const checkText = (report: LoadReport): readonly string[] => [
  ...report.files.flatMap((file) => {
    const findings = findingsIn(report, file);
    const lines = findings.map(
      (each) => `${FINDING_KINDS[each.kind].isMistake ? 'warning: ' : ''}${findingLine(each)}`,
    );
    return [fileLine(file, findings), ...[takenLine(file), ...lines, ...foundLines(file)].map(indented), ''];
  }),
  ...ignoredLines(report.ignored),
  reportTotalLine(report.files),
];

/** The lines that go to stderr, whatever else is printed. */
export const warningLines = ({ findings }: LoadReport): readonly string[] =>
  findings.filter(isAlwaysSaid).map((each) => `${each.file === undefined ? '' : `${each.file}: `}${findingLine(each)}`);

const indented = (line: string): string => `  ${line}`;

/** A line for each found field: `listPrice: number from list-price, in 120 records; {"list-price": null} in … keeps it out`. */
export const foundLines = ({ fields, mapping }: FileReport): readonly string[] =>
  fields.flatMap(({ field, found, present }) => {
    // A field of other files, or of refused records only, says nothing of this file.
    if (found === undefined || present === 0) return [];
    if (found.part !== undefined)
      return [`${field}: the ${found.part} in ${found.from}, of ${count(present, 'record')}`];
    const from = found.from === field ? '' : ` from ${found.from || 'a column without a name'}`;
    const unit = found.unit === undefined ? '' : `; its unit ${quote(found.unit)} is left out`;
    const out = `{${JSON.stringify(found.from)}: null} in ${mapping} keeps it out`;
    const key = found.mayBeKey ? ', stands for ids in paths if no two are the same' : '';
    return [`${field}: ${KIND_TEXTS[found.kind]}${from}, in ${count(present, 'record')}${key}${unit}; ${out}`];
  });

function reportTotalLine(files: readonly FileReport[]): string {
  const accepted = sum(files, (file) => file.accepted);
  const refused = sum(files, (file) => file.refused);
  // `shop.json#users` is another list of shop.json.
  const isOfOther = ({ file }: FileReport): boolean => files.some((other) => file.startsWith(`${other.file}#`));
  const readFiles = files.filter((file) => !isOfOther(file)).length;
  return `${count(readFiles, 'file')}, ${count(accepted, 'record')}, ${refused === 0 ? 'none' : grouped(refused)} refused`;
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

function size(bytes: number): string {
  if (bytes < 1e3) return count(bytes, 'byte');
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
