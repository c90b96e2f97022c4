/** Counts over what a field reads of a column: by these a column is the field's, or is none in spite of its name. */
import { type Field, isNumeric } from '../../model.js';
import { isRelativeDate } from '../values/dates.js';
import { readPercentage } from '../values/numbers.js';
import { ADDRESS, hasValue } from '../values/texts.js';
import { timesOf, type ValueCounts } from '../values/value-counts.js';
import { type Reading, readCell } from '../values/values.js';

export class ReadingCounts {
  readonly #field: Field;
  /** The values that are no missing ones, each with its reading and how often it occurs. */
  readonly #readings: readonly (readonly [value: unknown, reading: Reading, times: number])[];
  /** The values that the field can read, as it reads them. */
  readonly #values: ReadonlyMap<unknown, number>;
  readonly #counts = new Map<(value: unknown) => boolean, number>();
  /** The values that the field can read. */
  readonly total: number;

  constructor(field: Field, counts: ValueCounts, isCsv: boolean) {
    const context = { isCsv, dateOrder: 'month first' } as const;
    this.#field = field;
    this.#readings = [...counts].flatMap(([value, times]) =>
      hasValue(value) ? [[value, readCell(field, value, context), times] as const] : [],
    );
    const values = new Map<unknown, number>();
    let total = 0;
    for (const [, { value }, times] of this.#readings) {
      if (value === null || value === '') continue;
      values.set(value, (values.get(value) ?? 0) + times);
      total += times;
    }
    this.#values = values;
    this.total = total;
  }

  /** Values that are something else than the field's. */
  get unreadable(): number {
    return this.#readings.reduce((sum, [, { how }, times]) => (how === 'unreadable' ? sum + times : sum), 0);
  }

  /**
   * Values that make the column none of the field's, whatever its name: `PG-13` under `rating`, `red shoe` under `image`. Percentages and
   * relative dates say nothing: the field may read them once more is known.
   */
  get unfit(): number {
    const { kind } = this.#field;
    if (!isNumeric(kind) && kind !== 'date' && kind !== 'url') return 0;
    const isUnfit = (value: unknown, { how }: Reading): boolean => {
      if (typeof value === 'string' && (readPercentage(value) !== undefined || isRelativeDate(value))) return false;
      return kind === 'url' && typeof value === 'string'
        ? !mayBeAddress(this.#field, value)
        : typeof value !== 'object' && how === 'unreadable';
    };
    return this.#readings.reduce((sum, [value, reading, times]) => (isUnfit(value, reading) ? sum + times : sum), 0);
  }

  get distinct(): number {
    return this.#values.size;
  }

  /** Texts with letters that are no addresses. */
  get prose(): number {
    return this.#count(isProse);
  }

  /** Words that say what a record is, and no category: `product`, `NewsItem`. */
  get recordTypes(): number {
    return this.#count(isRecordType);
  }

  get addresses(): number {
    return this.#count(isAddress);
  }

  get pictures(): number {
    return this.#count(isPicture);
  }

  get addressesOrPictures(): number {
    return this.#count(isAddressOrPicture);
  }

  /** Addresses of pages: they end in `.html` or `.php`, and name no picture. */
  get pages(): number {
    return this.#count(isPage);
  }

  /** Lists of short texts. */
  get shortTags(): number {
    return this.#count(hasShortTags);
  }

  get integers(): number {
    return this.#count(Number.isInteger);
  }

  get meanLength(): number {
    let chars = 0;
    for (const [value, times] of this.#values) chars += times * textOf(value).length;
    return chars / this.total;
  }

  get lowest(): number {
    return this.#numbers.reduce((lowest, value) => Math.min(lowest, value), Number.POSITIVE_INFINITY);
  }

  get highest(): number {
    return this.#numbers.reduce((highest, value) => Math.max(highest, value), Number.NEGATIVE_INFINITY);
  }

  get #numbers(): readonly number[] {
    return [...this.#values.keys()].filter((value) => typeof value === 'number');
  }

  #count(test: (value: unknown) => boolean): number {
    const count = this.#counts.get(test) ?? timesOf(this.#values, test);
    this.#counts.set(test, count);
    return count;
  }
}

const IMAGE = /^data:image\/|\.(?:jpe?g|png|gif|webp|avif|svg|bmp)\b|\/(?:images?|img|covers?|photos?|media|thumb)/i;
const RECORD_TYPES = /^(?:product|article|post|story|item|page|news|record|feature)s?$|Item$/i;
const MAX_TAG_CHARS = 60;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isAddress = (value: unknown): boolean => ADDRESS.test(textOf(value));
const isPicture = (value: unknown): boolean => IMAGE.test(textOf(value));
const isAddressOrPicture = (value: unknown): boolean => isAddress(value) || isPicture(value);
const isPage = (value: unknown): boolean => !isPicture(value) && /\.(?:html?|php)\b/.test(textOf(value));
const isProse = (value: unknown): boolean => /\p{L}/u.test(textOf(value)) && !isAddress(value);
const isRecordType = (value: unknown): boolean => RECORD_TYPES.test(textOf(value));
const hasShortTags = (value: unknown): boolean => Array.isArray(value) && value.every(isShortTag);
const isShortTag = (tag: unknown): boolean =>
  textOf(tag).length > 0 && textOf(tag).length <= MAX_TAG_CHARS && !isAddress(tag);

/**
 * An address, with spaces only behind a scheme (`data:image/svg+xml,%3Csvg xmlns=…`); also a relative one, or a file: `p/1`, `lamp.jpg`,
 * `red lamp.jpg`.
 */
const MAY_BE_ADDRESS = /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/|data:)\S|^\S*[./#?]\S*$|\.\w{3,4}$/i;

/** `red shoe` is no address; `about` is the relative address of a page, and no picture. */
const mayBeAddress = ({ role }: Field, text: string): boolean =>
  MAY_BE_ADDRESS.test(text.trim()) || (role === 'link' && !/\s/.test(text.trim()));
