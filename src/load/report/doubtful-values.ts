/** Values that may mean something else than they are read as. A line says so, since nothing in the dump decides it. */
import { type CollectionModel, type Field, isNumeric } from '../../model.js';
import { grouped, quote } from '../../text.js';
import { columnProfileOf } from '../fields/plan.js';
import type { OpenedFile } from '../open-file.js';
import type { ColumnProfile } from '../profile/column-profile.js';
import { readPlainNumber } from '../values/numbers.js';
import { timesOf, type ValueCounts } from '../values/value-counts.js';
import { countedFinding, type FileFinding } from './findings.js';

/** The numbers and the day that programs write for a missing value: `-9999`, `999.9`, `9999-12-31`. */
const NINES = /^-?9{3,}(?:\.9+)?$/;
const LAST_DAY = '9999-12-31';
/** The least ratio of such a number to the largest other one. */
const MIN_DISTANCE = 10;

/** `100 200`: a number of thousands, or two numbers. */
const ONE_GROUP = /^\s*[1-9]\d{0,2} \d{3}\s*$/;
/** Several groups, decimals or a unit show that a space separates thousands: `1 234 567`, `1 234,50`, `1 234 km`. */
const SURELY_GROUPED = /\d \d{3}(?: \d{3}|[.,]\d| ?[^\d\s])/;

/** The findings about the sampled values of all columns. */
export const doubtfulFindings = ({ plan, mapping }: OpenedFile, { fields }: CollectionModel): readonly FileFinding[] =>
  fields.flatMap((field) => {
    const profile = columnProfileOf(plan, field);
    if (profile === undefined || field.part !== undefined || mapping.isOurExport) return [];
    return [...markFinding(field, profile.counts), ...spaceFinding(field, profile), ...cutFinding(field, profile)];
  });

function markFinding({ name: field, kind }: Field, counts: ValueCounts): readonly FileFinding[] {
  const mark = isNumeric(kind) ? markAmong(counts) : undefined;
  const isMark = (value: unknown): boolean =>
    kind === 'date' ? String(value).startsWith(LAST_DAY) : mark !== undefined && Number(value) === mark;
  const times = timesOf(counts, isMark);
  const text = `${grouped(times)} of the first values ${times === 1 ? 'is' : 'are'} ${mark ?? LAST_DAY}, which may stand for no value`;
  return countedFinding(times, 'doubtful', text, { field });
}

/** A number of nines that repeats, far from all others: of another sign, or ten times as large. */
function markAmong(counts: ValueCounts): number | undefined {
  const numbers = [...counts].flatMap(([value, times]) => {
    const number = typeof value === 'string' ? readPlainNumber(value.trim()) : value;
    return typeof number === 'number' ? [{ number, times, isNines: NINES.test(String(number)) }] : [];
  });
  const otherNumbers = numbers.filter(({ isNines }) => !isNines);
  const isFar = (mark: number): boolean =>
    otherNumbers.every(({ number }) => Math.abs(mark) >= MIN_DISTANCE * Math.abs(number)) ||
    (mark < 0 && otherNumbers.every(({ number }) => number >= 0));
  return otherNumbers.length === 0
    ? undefined
    : numbers.find(({ number, times, isNines }) => isNines && times > 1 && isFar(number))?.number;
}

/** Numbers with a space inside, in a column that shows nowhere that it separates thousands. */
function spaceFinding({ name: field, kind }: Field, { counts }: ColumnProfile): readonly FileFinding[] {
  const texts = isNumeric(kind) ? [...counts.keys()].filter((value) => typeof value === 'string') : [];
  const [example, ...otherTexts] = texts.filter((text) => ONE_GROUP.test(text));
  if (example === undefined || texts.some((text) => SURELY_GROUPED.test(text))) return [];
  const text = `no value shows whether the space in ${quote(example)} separates thousands or numbers; read as thousands`;
  return countedFinding(1 + otherTexts.length, 'doubtful', text, { field });
}

/** `9.78E+12`: the digits that a spreadsheet leaves of a long code. */
function cutFinding({ name: field }: Field, { kinds: { cutCodes } }: ColumnProfile): readonly FileFinding[] {
  const text = `${grouped(cutCodes)} of the first values may be codes that a spreadsheet has cut, as 9.78E+12: their last digits are lost`;
  return countedFinding(cutCodes, 'doubtful', text, { field });
}
