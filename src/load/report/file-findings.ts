/** The findings about a file: decisions about it that a user may want otherwise, and what became of its records and values. */
import type { CollectionModel, Field } from '../../model.js';
import { count, grouped, listed, quote } from '../../text.js';
import type { CellSource } from '../fields/columns.js';
import { columnProfileOf, type FilePlan } from '../fields/plan.js';
import type { Spellings } from '../fields/spellings.js';
import type { OpenedFile } from '../open-file.js';
import { type LeftOutPlace, placeText } from '../place/json-place.js';
import type { ColumnProfile } from '../profile/column-profile.js';
import { SAMPLE_RECORDS } from '../profile/sample.js';
import { measuresIn } from '../profile/scales.js';
import { type DateSpelling, type NumberSpelling, thirdDecimal } from '../profile/spelling-proofs.js';
import { isRelativeDate } from '../values/dates.js';
import { hasComma, isMoney, type SignCounts } from '../values/numbers.js';
import { doubtfulFindings } from './doubtful-values.js';
import { countedFinding, type FileFinding, finding } from './findings.js';
import type { FieldReport, FileReport, SourceName } from './report.js';
import { MAX_COUNTED_NAMES } from './tally.js';

/** The decisions about a file, with the values that led to them. */
interface FileDecisions {
  readonly opened: OpenedFile;
  /** The model of the collection, with what all of its files show. */
  readonly model: CollectionModel;
  readonly spellings: Spellings;
  /** The line on decisions that later records changed; undefined where the file was read once. */
  readonly difference: string | undefined;
  /** The findings of its reading: places that it has passed, the encoding, possible mistakes in records. */
  readonly readingFindings: readonly FileFinding[];
}

/** All findings about a file, those that may call for an action first. */
export function fileFindings(report: FileReport, decisions: FileDecisions): readonly FileFinding[] {
  const { opened, model, spellings, difference, readingFindings } = decisions;
  const { mapping } = report;
  const isLeftOut = ({ kind }: FileFinding): boolean => kind === 'left-out';
  return [
    ...readingFindings.filter(isLeftOut),
    ...refusalFindings(report),
    ...(difference === undefined ? [] : [finding('read-twice', difference)]),
    ...dateFindings(spellings, opened.mapping.dayFirst, mapping),
    ...signFindings(spellings),
    ...languageFindings(report),
    ...recordFindings(report),
    ...placeFindings(opened),
    ...innerListFindings(opened),
    ...nameFindings(opened, mapping),
    ...planFindings(opened.plan, mapping),
    ...splitFindings(model),
    ...report.fields.flatMap((field) => fieldFindings(field, report, opened)),
    ...notKeptFindings(report),
    ...readingFindings.filter((each) => !isLeftOut(each)),
    ...severalFindings(opened, model, report),
    ...doubtfulFindings(opened, model),
    ...zoneFindings(opened, model),
  ];
}

/** Lists inside of the records that may be the records. */
function innerListFindings({ layout }: OpenedFile): readonly FileFinding[] {
  const innerLists = ('steps' in layout && layout.innerLists) || [];
  const text = `lists of objects stand inside of the records, at ${listed(innerLists)}, as their values`;
  const advice = `--records ${quote(innerLists[0])} reads them instead`;
  return countedFinding(innerLists.length, 'place', text, { advice });
}

const besideText = (places: readonly string[]): string =>
  places.length > 1
    ? `${listed(places)} stand beside the records, and are not read`
    : `${places[0]} stands beside the records, and is not read`;

/** By their paths the places beside the records whose values the reader has passed. */
export function passedFindings(places: ReadonlyMap<string, LeftOutPlace>): readonly FileFinding[] {
  const placesOf = (wanted: LeftOutPlace['why']) => [...places].filter(([, { why }]) => why === wanted);
  const withLine = ([place, { places, line }]: readonly [string, LeftOutPlace]): string =>
    `${place} (${places === 1 ? `line ${line}` : `${grouped(places)} places; the first is in line ${line}`})`;
  const lists = placesOf('list');
  const [first] = lists;
  const listCount = lists.reduce((sum, [, each]) => sum + each.places, 0);
  const listTexts = lists.length === 1 ? lists.map(withLine) : lists.map(([place]) => place);
  const otherFindings = OTHER_REASONS.flatMap(([why, text]) =>
    placesOf(why).map((each) => {
      const [, passed] = each;
      return finding('left-out', `${withLine(each)} ${text}, and is not read`, {
        count: passed.places,
        line: passed.line,
      });
    }),
  );
  return [
    ...countedFinding(listCount, 'left-out', besideText(listTexts), {
      ...(first !== undefined && { line: first[1].line, advice: `--records ${quote(first[0])} reads it instead` }),
    }),
    ...otherFindings,
  ];
}

const OTHER_REASONS: readonly (readonly [LeftOutPlace['why'], text: string])[] = [
  ['rows', 'holds rows whose cells have no names'],
  ['depth', 'is nested otherwise than what leads to the records'],
  ['no list', 'holds no records'],
  ['late value', 'stands too far behind the records that it is about, or is too long'],
];

/** The rows at the end of a table, by their lines, that may be no records of it; one that lacks a title is refused as any other. */
export function footerFinding(lines: readonly number[]): readonly FileFinding[] {
  const [line] = lines;
  const text =
    lines.length === 1
      ? `the last row of the table, on line ${line}, may be notes or totals, and is read as any other`
      : `${lines.length} rows at the end of the table, the first on line ${line}, may be notes or totals, and are read as all others`;
  return countedFinding(lines.length, 'last-rows', text);
}

/** `{"a":1,"a":2}`: JSON leaves it open which member counts; as in most programs, it is the last one. */
export const repeatedNameFindings = (names: readonly SourceName[]): readonly FileFinding[] =>
  countedFinding(
    names.length,
    'repeated-names',
    `only the last value is read of names that stand in an object more than once: ${namesText(names, Number.NaN)}`,
  );

function refusalFindings({
  refusals,
  refused,
  accepted,
  mapping,
  titleCandidates,
}: FileReport): readonly FileFinding[] {
  const isUntitled = accepted === 0 && refusals.some(({ reason }) => UNTITLED.test(reason));
  const findings = refusals.map(({ records, record, line, reason }) => {
    const text =
      records === 1
        ? `refused: record ${record} (line ${line}): ${reason}`
        : `refused: ${grouped(records)} records: ${reason}; the first is record ${record} (line ${line})`;
    return finding('refused', text, { count: records, line });
  });
  const unlisted = refused - refusals.reduce((sum, { records }) => sum + records, 0);
  const choices = (titleCandidates.length > 0 ? titleCandidates : ['NAME']).map(
    (name) => `{${JSON.stringify(name)}: "title"}`,
  );
  return [
    ...findings,
    ...countedFinding(unlisted, 'refused', `refused: ${grouped(unlisted)} more`),
    ...(isUntitled
      ? [finding('untitled', `no column is the title: ${choices.join(' or ')} in ${mapping} reads it`)]
      : []),
  ];
}

/** Records lack a title, or have an object in its place. */
const UNTITLED = /^title(?: is missing$|: expected text)/;

/**
 * The order of day and month in columns of dates; none where the mapping says it. Nothing is said of a column that could only be read as it
 * is: no date of it has either order, or one proves the month to stand first, which is also how dates are read that prove nothing. Proofs may
 * be another column's of the same file.
 */
const dateFindings = ({ dates }: Spellings, isStated: boolean | undefined, mapping: string): readonly FileFinding[] =>
  isStated === undefined
    ? dates.flatMap((column) => [...pointedDateFindings(column), ...slashedDateFindings(column, mapping)])
    : [];

/** Dates with points, whose day stands first, and whose year stands last, unless their column proves otherwise. */
function pointedDateFindings({ name: field, order, proofs }: DateSpelling): readonly FileFinding[] {
  const { 'day.month': dayMonth, 'month.day': monthDay, 'either end': eitherEnd, 'year first': yearFirst } = proofs;
  const texts = [
    order === 'year first' && `read with the year first, as the dates beside ${quote(yearFirst)} show`,
    order === 'month first with points' && `read as month.day, as ${quote(monthDay)} shows`,
    dayMonth !== undefined &&
      monthDay !== undefined &&
      `both day.month (${quote(dayMonth)}) and month.day (${quote(monthDay)}), which is left null`,
    eitherEnd !== undefined &&
      `no date shows whether day or year stands first; ${quote(eitherEnd)} is read as day.month.year`,
  ];
  return texts.flatMap((text) => (text === false ? [] : [finding('date-order', text, { field })]));
}

function slashedDateFindings(column: DateSpelling, mapping: string): readonly FileFinding[] {
  const { name: field, order, proofs } = column;
  const { 'day first': dayFirst, 'month first': monthFirst, 'either order': either } = proofs;
  const isDayFirst = order === 'day first';
  const advice = `{"dayFirst": ${!isDayFirst}} in ${mapping} reads ${isDayFirst ? 'month/day' : 'day/month'}`;
  if (dayFirst !== undefined && monthFirst !== undefined) {
    const text = `both day/month (${quote(dayFirst)}) and month/day (${quote(monthFirst)}); read as month/day where either is possible`;
    return [finding('date-order', text, { field, advice })];
  }
  if (either === undefined || monthFirst !== undefined) return [];
  if (dayFirst !== undefined)
    return [finding('date-order', `read as day/month, as ${quote(dayFirst)} shows`, { field })];
  const text = 'no date shows whether day or month stands first; read as month/day';
  return [finding('date-order', text, { field, advice })];
}

/** Several currencies of prices, several scales of ratings, several units that amounts are for, the commonest first, with counts where all records are sampled. */
function severalFindings(
  { plan, mapping, layout }: OpenedFile,
  { fields }: CollectionModel,
  { accepted }: FileReport,
): readonly FileFinding[] {
  const areCounted = accepted <= Math.min(SAMPLE_RECORDS, layout.sample.length);
  return fields.flatMap((field) => {
    const profile = columnProfileOf(plan, field);
    if (profile === undefined || field.part !== undefined || mapping.isOurExport) return [];
    const isRating = field.role === 'rating';
    const currencies = field.role === 'price' ? profile.amounts.currencies : [];
    return [
      ...severalFinding(field, 'currencies', currencies, areCounted),
      ...severalFinding(field, isRating ? 'scales' : 'units', measuresIn(field, profile), areCounted),
    ];
  });
}

function severalFinding(
  { name: field }: Field,
  kind: 'currencies' | 'scales' | 'units',
  counts: SignCounts,
  areCounted: boolean,
): readonly FileFinding[] {
  const [before, between] = kind === 'scales' ? ['of ', ': '] : ['', ' '];
  const names = counts.map(([name, times]) => `${before}${name}${areCounted ? `${between}${times}` : ''}`);
  const text = `several ${kind}, none is converted: ${names.join(', ')}`;
  return names.length < 2 ? [] : [finding(kind, text, { field, count: names.length })];
}

const ZONE_NAME = /^(?:Africa|America|Asia|Atlantic|Australia|Europe|Pacific)\/[A-Z][\w/-]+$/;
const TIME_WITHOUT_ZONE = /(?<![+-]\d?)\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** Times without a zone in a file that has a column of zones: `2024-03-05 10:30` beside `Europe/Berlin`. */
function zoneFindings({ plan }: OpenedFile, { fields }: CollectionModel): readonly FileFinding[] {
  const textLike = ({ counts }: ColumnProfile, pattern: RegExp): string | undefined =>
    [...counts.keys()].find((value): value is string => typeof value === 'string' && pattern.test(value));
  const zones = plan.found.find(({ profile }) => textLike(profile, ZONE_NAME) !== undefined);
  if (zones === undefined) return [];
  return fields.flatMap((field) => {
    const profile = columnProfileOf(plan, field);
    const time = field.kind === 'date' && profile ? textLike(profile, TIME_WITHOUT_ZONE) : undefined;
    const text = `times without a zone, such as ${quote(time)}, are read as UTC, whatever ${quote(zones.text)} says`;
    return time === undefined ? [] : [finding('time-zone', text, { field: field.name })];
  });
}

/** Numbers that have no unit among others that have one, and may be of another: `3` among `250 g`, `0.35` among `10%`. */
export const bareNumberFindings = (
  { fields }: CollectionModel,
  bareNumbers: (index: number) => number,
  present: (index: number) => number,
): readonly FileFinding[] =>
  fields.flatMap(({ name, unit = '%' }, index) => {
    const bare = bareNumbers(index);
    const text = `read as of ${quote(unit)} without a unit: ${grouped(bare)} of ${count(present(index), 'value')}`;
    return countedFinding(bare, 'bare-numbers', text, { field: name });
  });

/** How numbers are read that could have either decimal sign: as another column of the file shows, else as programs write them. */
const signFindings = ({ signs }: Spellings): readonly FileFinding[] =>
  signs.flatMap((column) => {
    const { name: field, proofs } = column;
    const third = thirdDecimal(proofs);
    const either = proofs['either sign'];
    const text = third === undefined ? either && signText(column, either) : thirdDecimalText(third, proofs);
    return text === undefined ? [] : [finding('decimal-sign', text, { field })];
  });

const thirdDecimalText = (third: string, { comma }: NumberSpelling['proofs']): string =>
  `the comma of ${quote(third)}, which may separate thousands, is decimal, as ${quote(comma)} shows`;

function signText(column: NumberSpelling, either: string): string | undefined {
  const { proofs, sign, othersProof, isPointOfFile, isPrice } = column;
  const { comma, point } = proofs;
  const isComma = hasComma(either);
  const isDecimal = isComma ? sign === 'comma' : sign !== 'comma' && !isMoney(either);
  const reading = `the ${isComma ? 'comma' : 'point'} of ${quote(either)} ${isDecimal ? 'is decimal' : 'separates thousands'}`;
  if (othersProof !== undefined) return `${reading}, as ${quote(othersProof)} of this file shows`;
  if (comma !== undefined && point !== undefined)
    return `both decimal commas (${quote(comma)}) and decimal points (${quote(point)}); ${reading}`;
  if (comma !== undefined || point !== undefined) return undefined;
  if (sign === 'comma' && proofs['whole or grouped'] !== undefined && isPrice)
    return `${reading}, as in prices without decimals`;
  if (isPointOfFile) return undefined;
  if (sign === 'comma') return `${reading}, since semicolons separate the cells`;
  return `no value shows whether commas or points are decimal; ${reading}`;
}

function languageFindings({ collection, language }: FileReport): readonly FileFinding[] {
  if (language === 'english') return [];
  const text = `${collection} are searched as ${language[0]?.toUpperCase()}${language.slice(1)}: --language english has it otherwise`;
  return [finding('language', text)];
}

/** Records that took the place of others, got their id by position, or were left out for their type. */
function recordFindings({ replaced, replacedIds, idsAssigned, otherTypes }: FileReport): readonly FileFinding[] {
  const unlisted = replaced - replacedIds.length;
  const ids = `${replacedIds.join(', ')}${unlisted > 0 ? ` and ${grouped(unlisted)} more` : ''}`;
  const replacedText = `replaced: ${count(replaced, 'earlier record')} of the same id: ${ids}`;
  const ofOtherTypes = otherTypes.reduce((sum, { records }) => sum + records, 0);
  return [
    ...countedFinding(replaced, 'replaced', replacedText),
    ...countedFinding(idsAssigned, 'ids', `assigned by position to ${count(idsAssigned, 'record')}`, { field: 'id' }),
    ...countedFinding(ofOtherTypes, 'other-types', `of other types, left out: ${namesText(otherTypes, Number.NaN)}`),
  ];
}

/** Where the records stand, unless they are the values of the file, or of its one array; and of which kind they are, where a list has several. */
function placeFindings({ layout }: OpenedFile): readonly FileFinding[] {
  if ('dialect' in layout) return layout.notes.map((text) => finding('place', text));
  const { steps, kind, columnsPlace, labelsPlace } = layout;
  const kinds = listed([...(kind?.values ?? [])].map((value) => quote(value)));
  const ofKind = countedFinding(
    kind?.values.size ?? 0,
    'place',
    kind?.areLeftOut
      ? `records whose ${quote(kind.member)} is ${kinds} are of other collections`
      : `the records are those whose ${quote(kind?.member)} is ${kinds}`,
  );
  const isPlain = steps.length === 0 || (steps.length === 1 && steps[0] === 'each');
  if (isPlain) return ofKind;
  // The holders of `pages[].items[]` stand at `pages[]`.
  const holders = columnsPlace === undefined ? steps.slice(0, steps.lastIndexOf('each', -2) + 1) : [];
  const advice = holders.length > 0 ? `--records ${quote(placeText(holders))} reads what holds them` : undefined;
  const named = columnsPlace === undefined ? '' : `, their columns named by ${columnsPlace}`;
  const labelsText = `${labelsPlace} has a label for each row, and is not read`;
  return [
    ...(labelsPlace === undefined ? [] : [finding('left-out', labelsText)]),
    finding('place', `the records are those at ${placeText(steps)}${named}`, { advice }),
    ...ofKind,
  ];
}

/** Why the columns of a CSV file have other names than those that stand there. */
function nameFindings({ layout }: OpenedFile, mapping: string): readonly FileFinding[] {
  if (!('dialect' in layout) || layout.nameNote === undefined) return [];
  const [name] = layout.header.names;
  const advice = layout.header.areMadeUp
    ? `{${quote(name)}: FIELD} in ${mapping} gives one a name, a first row of names all of them`
    : undefined;
  return [finding('names', layout.nameNote, { advice })];
}

function planFindings(plan: FilePlan, mapping: string): readonly FileFinding[] {
  const { unsuited, fed, forms } = plan;
  return [
    ...[...fed.values()].flatMap((source) => guessFinding(plan, source, mapping)),
    ...unsuited.flatMap(({ field, text, rank, unsuitedWhy }) =>
      rank > (fed.get(field)?.rank ?? Number.POSITIVE_INFINITY)
        ? []
        : [finding('unsuited', `not read from ${quote(text)}: ${unsuitedWhy}`, { field })],
    ),
    ...[...forms].flatMap(([field, form]) =>
      form === 'html' ? [finding('html', 'HTML made text', { field, advice: '--html keep leaves it' })] : [],
    ),
  ];
}

/** `rating: guessed from "User Rating"; {"User Rating": null} in products.mapping.json keeps it out` */
function guessFinding(
  { model }: FilePlan,
  { field, text, guess }: CellSource,
  mapping: string,
): readonly FileFinding[] {
  if (guess === undefined) return [];
  const source = guess === 'values' ? `the values of ${quote(text)}` : quote(text);
  // A record needs its title: another column has to be it.
  const isRequired = model.fields.some(({ name, required }) => name === field && required);
  const advice = isRequired
    ? `{"NAME": ${quote(field)}} in ${mapping} reads another column`
    : `${JSON.stringify({ [text]: null })} in ${mapping} keeps it out`;
  return [finding('guess', `guessed from ${source}`, { field, advice })];
}

const splitFindings = ({ fields }: CollectionModel): readonly FileFinding[] =>
  fields.flatMap(({ name, splitBy }) => {
    if (splitBy === undefined) return [];
    const text = `a text may hold several values, separated by ${quote(splitBy.trim())}; each is counted`;
    return [finding('several-values', text, { field: name })];
  });

function fieldFindings(report: FieldReport, file: FileReport, opened: OpenedFile): readonly FileFinding[] {
  const { field, found, isGuessed, renamedFrom, present } = report;
  const { repaired, repairs, leftNull, leftNullExamples } = report;
  const relative = leftNullExamples.find(({ raw }) => isRelativeText(raw));
  // The finding on a guess has its name already.
  const isRenamed = found === undefined && renamedFrom.length > (isGuessed ? 1 : 0);
  const renamedText = `read from ${sourceText(renamedFrom)}`;
  return [
    ...countedFinding(isRenamed ? renamedFrom.length : 0, 'renamed', renamedText, { field }),
    ...alternativeFindings(report, file, opened),
    ...countedFinding(repaired, 'repaired', `${grouped(repaired)} repaired`, { field, examples: repairs }),
    ...countedFinding(leftNull, present === 0 ? 'empty' : 'left-null', `${grouped(leftNull)} left null`, {
      ...{ field, examples: leftNullExamples },
    }),
    ...(relative
      ? [finding('relative-date', `--scraped-at DATE gives the time from which ${relative.raw} counts`, { field })]
      : []),
  ];
}

const sourceText = (names: readonly SourceName[]): string => names.map(({ name }) => name).join(', ');

/** Columns that fit a field too. Of two that the mapping gives to it, the second is read where the first one is missing. */
function alternativeFindings(
  { field, passedOver }: FieldReport,
  { mapping: mappingName }: FileReport,
  { mapping, plan }: OpenedFile,
): readonly FileFinding[] {
  const [first] = passedOver;
  if (first === undefined) return [];
  const text = `not read from ${sourceText(passedOver)}`;
  if (mapping.get(first.name) === field) {
    const where = `in records that have ${plan.fed.get(field)?.text} too: the mapping names both`;
    return [finding('alternative', `${text} ${where}`, { field, count: passedOver.length })];
  }
  const advice = `${JSON.stringify({ [first.name]: field })} in ${mappingName} reads it instead`;
  return [finding('alternative', `${text}, which would fit too`, { field, count: passedOver.length, advice })];
}

/** Whether a cell, quoted as JSON, is a relative date such as `3 hours ago`. */
const isRelativeText = (raw: string): boolean => raw.startsWith('"') && isRelativeDate(raw.slice(1, -1));

function notKeptFindings({ notKept, records, mapping }: FileReport): readonly FileFinding[] {
  const advice = `{${quote(notKept[0]?.name)}: FIELD} in ${mapping} reads one as a field`;
  return countedFinding(notKept.length, 'not-kept', `not kept: ${namesText(notKept, records)}`, { advice });
}

const MAX_LISTED_COLUMN_NAMES = 20;

function namesText(names: readonly SourceName[], records: number): string {
  const texts = names
    .slice(0, MAX_LISTED_COLUMN_NAMES)
    .map((name) => (name.records === records ? name.name : `${name.name} (${count(name.records, 'record')})`));
  const atLeast = names.length === MAX_COUNTED_NAMES ? 'at least ' : '';
  const more =
    names.length > MAX_LISTED_COLUMN_NAMES
      ? ` and ${atLeast}${grouped(names.length - MAX_LISTED_COLUMN_NAMES)} more`
      : '';
  return `${texts.join(', ')}${more}`;
}
