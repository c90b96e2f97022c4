/**
 * Columns of which all values are counted while a file is read, so that the collection can be built once more with what they are: those
 * whose first value comes behind the sample, which feed no field so far, and those of texts that may come to be numbers or dates.
 *
 *     size    "large", "12", "7", … then 5,000 numbers     the sample's kind was text
 */
import { NULL } from '../../batch.js';
import { unguardFormula } from '../../text.js';
import type { SourceRow } from '../place/source-row.js';
import { isPlainObject, type Path, pathKey } from '../values/paths.js';
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
  readonly values: unknown[] = [];
  readonly #isGuarded: boolean;
  readonly #kinds = new KindCounts();
  readonly #texts = new Map<string, number>();

  constructor(path: readonly string[], isGuarded: boolean) {
    this.#isGuarded = isGuarded;
    this.path = path;
  }

  /** Takes the value of a member, if it has one. */
  look(row: SourceRow, member: number): void {
    const kind = row.kind(member);
    if (kind <= NULL || row.start(member) === row.end(member)) return;
    const raw = row.value(member);
    const value = this.#isGuarded && typeof raw === 'string' ? unguardFormula(raw) : raw;
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

interface LateColumnsOptions {
  readonly maxColumns: number;
  /** Whether it is decided already what becomes of a path. */
  readonly isKeptOut: (path: Path) => boolean;
  /** Whether the column at a path feeds a field of texts, which may come to be one of another kind. */
  readonly mayChange: (path: Path) => boolean;
  /** Apostrophes guard the file's formulas. */
  readonly isGuarded: boolean;
}

export class LateColumns {
  readonly #columns = new Map<string, LateColumn>();
  readonly #options: LateColumnsOptions;

  constructor(options: LateColumnsOptions) {
    this.#options = options;
  }

  /** The column at a path, all of whose values are counted; undefined where they change nothing. */
  at(path: readonly string[], isFed: boolean): LateColumn | undefined {
    if (path.length > MAX_FIELD_DEPTH) return undefined;
    const key = pathKey(path);
    const { maxColumns, isKeptOut, mayChange, isGuarded } = this.#options;
    if (isFed && !mayChange(path)) return undefined;
    const existingColumn = this.#columns.get(key);
    if (existingColumn !== undefined || this.#columns.size === maxColumns || isKeptOut(path)) return existingColumn;
    const column = new LateColumn(path, isGuarded);
    this.#columns.set(key, column);
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
