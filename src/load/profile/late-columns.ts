/**
 * Columns whose first value comes behind the sample: they feed no field, since nothing was known of them. Their first values are kept,
 * and all of them are counted, so that the collection can be built once more with these columns.
 */
import { NULL } from '../../batch.js';
import type { SourceRow } from '../place/source-row.js';
import { isPlainObject, type Path, pathText } from '../values/paths.js';
import { hasValue } from '../values/texts.js';
import { KindCounts } from './kind-counts.js';
import type { SampleRecord } from './sample.js';

/** Objects become found fields down to this depth: `a.b.c` is a field, and an object there stays JSON. */
export const MAX_FIELD_DEPTH = 3;
/** Values of a late column that are kept. */
const MAX_KEPT_VALUES = 100;
/** Different texts of a late column that are counted before they are added to the others. */
const MAX_COUNTED_TEXTS = 10_000;

export class LateColumn {
  readonly path: readonly string[];
  readonly text: string;
  readonly values: unknown[] = [];
  readonly #kinds = new KindCounts();
  readonly #texts = new Map<string, number>();

  constructor(path: readonly string[]) {
    this.path = path;
    this.text = pathText(path);
  }

  /** Takes the value of a member, if it has one. */
  look(row: SourceRow, member: number): void {
    const kind = row.kind(member);
    if (kind <= NULL || row.start(member) === row.end(member)) return;
    const value = row.value(member);
    if (!hasValue(value) || (isPlainObject(value) && Object.keys(value).length === 0)) return;
    if (this.values.length < MAX_KEPT_VALUES) this.values.push(value);
    const isText = typeof value === 'string';
    if (isText && (this.#texts.has(value) || this.#texts.size < MAX_COUNTED_TEXTS))
      this.#texts.set(value, (this.#texts.get(value) ?? 0) + 1);
    else this.#kinds.add(value);
  }

  /** The counts over all values. */
  kinds(): KindCounts {
    for (const [text, times] of this.#texts) this.#kinds.add(text, times);
    this.#texts.clear();
    return this.#kinds;
  }
}

export class LateColumns {
  readonly #columns = new Map<string, LateColumn>();
  readonly #maxColumns: number;
  readonly #isKeptOut: (path: string) => boolean;

  /** `isKeptOut`: whether the mapping says what becomes of a path. */
  constructor(maxColumns: number, isKeptOut: (path: string) => boolean) {
    this.#maxColumns = maxColumns;
    this.#isKeptOut = isKeptOut;
  }

  /** The column at a path that feeds no field; undefined where none may become one. */
  at(path: readonly string[]): LateColumn | undefined {
    if (path.length > MAX_FIELD_DEPTH) return undefined;
    const text = pathText(path);
    const existingColumn = this.#columns.get(text);
    if (existingColumn !== undefined || this.#columns.size === this.#maxColumns || this.#isKeptOut(text))
      return existingColumn;
    const column = new LateColumn(path);
    this.#columns.set(text, column);
    return column;
  }

  /** The columns that have values. */
  get all(): readonly LateColumn[] {
    return [...this.#columns.values()].filter(({ values }) => values.length > 0);
  }
}

/** The record that has this value and no other: `{"price": {"currency": "EUR"}}` for `EUR` at `price.currency`. */
export function lateRecord([first, ...rest]: Path, value: unknown): SampleRecord {
  const nested = rest.reduceRight<unknown>(
    (inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }),
    value,
  );
  return { names: [String(first)], cells: [nested] };
}
