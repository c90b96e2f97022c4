/**
 * How many values of a column are what a field reads of it should be: by these a column is the field's, or is none in spite of its name.
 * A further question to what is read is a further row.
 */
import { type Field, isNumeric } from '../../model.js';
import { type DateOrder, isRelativeDate, likelyOrder } from '../values/dates.js';
import { isPercentage } from '../values/text-forms.js';
import { ADDRESS } from '../values/texts.js';
import { TestedCounts, type ValueCounts } from '../values/value-counts.js';
import { type CellContext, type Reading, readCell } from '../values/values.js';
import { yearsFirst } from './spelling-proofs.js';

const IMAGE = /^data:image\/|\.(?:jpe?g|png|gif|webp|avif|svg|bmp)\b|\/(?:images?|img|covers?|photos?|media|thumb)/i;
const RECORD_TYPES = /^(?:product|article|post|story|item|page|news|record|feature)s?$|Item$/i;
const MAX_TAG_CHARS = 60;

const inText =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && pattern.test(value);
const beginsAsAddress = inText(ADDRESS);
const namesPicture = inText(IMAGE);
const isShortTag = (tag: unknown): boolean =>
  typeof tag === 'string' && tag.length > 0 && tag.length <= MAX_TAG_CHARS && !beginsAsAddress(tag);

const READING_TESTS = {
  addresses: beginsAsAddress,
  pictures: namesPicture,
  addressesOrPictures: (value: unknown) => beginsAsAddress(value) || namesPicture(value),
  noPages: (value: unknown) => namesPicture(value) || !inText(/\.(?:html?|php)\b/)(value),
  /** Texts with letters that are no addresses. */
  prose: (value: unknown) => inText(/\p{L}/u)(value) && !beginsAsAddress(value),
  /** Words that say what a record is, and no category: `product`, `NewsItem`. */
  recordTypes: inText(RECORD_TYPES),
  listsOfShortTags: (value: unknown) => Array.isArray(value) && value.every(isShortTag),
  integers: Number.isInteger,
} satisfies Readonly<Record<string, (value: unknown) => boolean>>;

/** A value of the column, how the field reads it, and how often it occurs. */
type CountedReading = readonly [value: unknown, reading: Reading, times: number];

/** Counts over the values that a field can read, as it reads them. */
export class ReadingCounts extends TestedCounts<keyof typeof READING_TESTS> {
  readonly #field: Field;
  readonly #readings: readonly CountedReading[];

  /** `counts`: those of values, of which none is blank. */
  constructor(field: Field, counts: ValueCounts, isCsv: boolean) {
    const texts = field.kind === 'date' ? [...counts.keys()].filter((value) => typeof value === 'string') : [];
    const haveYearsFirst = yearsFirst(texts) === 'proven';
    const orderOf = (value: unknown): DateOrder =>
      field.kind === 'date' && typeof value === 'string' ? likelyOrder(value) : 'month first';
    const contextOf = (value: unknown): CellContext => ({
      isCsv,
      dateOrder: haveYearsFirst ? 'year first' : orderOf(value),
    });
    const readings = [...counts].map(
      ([value, times]): CountedReading => [value, readCell(field, value, contextOf(value)), times],
    );
    const values = new Map<unknown, number>();
    for (const [, { value }, times] of readings)
      if (value !== null && value !== '') values.set(value, (values.get(value) ?? 0) + times);
    super(values, READING_TESTS);
    this.#field = field;
    this.#readings = readings;
  }

  /** Values that are something else than the field's. */
  get unreadable(): number {
    return this.#sumOf(([, { how }]) => how === 'unreadable');
  }

  /** Values that make the column none of the field's, whatever its name: `PG-13` under `rating`, `red shoe` under `image`. */
  get unfit(): number {
    const { kind } = this.#field;
    return isNumeric(kind) || kind === 'date' || kind === 'url' ? this.#sumOf((each) => this.#isUnfit(each)) : 0;
  }

  /** Percentages and relative dates say nothing: the field may read them once more is known. */
  #isUnfit([value, { how }]: CountedReading): boolean {
    if (isPercentage(value) || (typeof value === 'string' && isRelativeDate(value))) return false;
    return this.#field.kind === 'url' && typeof value === 'string'
      ? !mayBeAddress(this.#field, value)
      : typeof value !== 'object' && how === 'unreadable';
  }

  #sumOf(test: (reading: CountedReading) => boolean): number {
    return this.#readings.reduce((sum, reading) => (test(reading) ? sum + reading[2] : sum), 0);
  }

  get meanLength(): number {
    let chars = 0;
    for (const [value, times] of this.values) if (typeof value === 'string') chars += times * value.length;
    return chars / this.total;
  }

  get lowest(): number {
    return this.#numbers.reduce((lowest, value) => Math.min(lowest, value), Number.POSITIVE_INFINITY);
  }

  get highest(): number {
    return this.#numbers.reduce((highest, value) => Math.max(highest, value), Number.NEGATIVE_INFINITY);
  }

  get #numbers(): readonly number[] {
    return [...this.values.keys()].filter((value) => typeof value === 'number');
  }
}

/**
 * An address, with spaces only behind a scheme (`data:image/svg+xml,%3Csvg xmlns=…`); also a relative one, or a file: `p/1`, `lamp.jpg`,
 * `red lamp.jpg`.
 */
const MAY_BE_ADDRESS = /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/|data:)\S|^\S*[./#?]\S*$|\.\w{3,4}$/i;

/** `red shoe` is no address; `about` is the relative address of a page, and no picture. */
const mayBeAddress = ({ role }: Field, text: string): boolean =>
  MAY_BE_ADDRESS.test(text.trim()) || (role === 'link' && !/\s/.test(text.trim()));
