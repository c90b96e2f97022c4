/** The columns of a sample: of its records, and of the objects inside of a column. Each is found once, and profiled when that is asked for. */
import { type Path, pathKey, pathText, valueAtPath } from '../values/paths.js';
import { ColumnProfile } from './column-profile.js';
import { factOf, MAX_NAMES, type SampleRecord, sampleOf } from './sample.js';

/** A column of the sample, or of the objects in one. */
export class SampledColumn {
  readonly name: string;
  readonly path: Path;
  /** The path as mappings and messages spell it. */
  readonly text: string;
  /** The values that are not null, for those who look for values inside of them; all else is decided by the profile. */
  readonly values: readonly unknown[];
  /** By paths from its values, the columns of what stands there. */
  readonly #inner = new Map<string, SampledColumn>();
  #members: SampledColumns | undefined;
  #profile: ColumnProfile | undefined;

  /** `text`: the path as a mapping spells it. */
  constructor(path: Path, values: readonly unknown[], text = pathText(path)) {
    this.name = String(path.at(-1));
    this.path = path;
    this.text = text;
    this.values = values;
  }

  get profile(): ColumnProfile {
    this.#profile ??= new ColumnProfile(this.values);
    return this.#profile;
  }

  /** The columns of the objects among the values. */
  get members(): SampledColumns {
    this.#members ??= columnsOf(sampleOf(this.values), this.path);
    return this.#members;
  }

  /** The column of what stands at a path in the values. */
  at(path: Path): SampledColumn {
    if (path.length === 0) return this;
    const key = pathKey(path);
    const column = this.#inner.get(key) ?? new SampledColumn([...this.path, ...path], this.#valuesAt(path));
    this.#inner.set(key, column);
    return column;
  }

  #valuesAt(path: Path): readonly unknown[] {
    return this.values.map((value) => valueAtPath(value, path)).filter((value) => (value ?? null) !== null);
  }
}

export type SampledColumns = ReadonlyMap<string, SampledColumn>;

/** The columns of a sample. */
export const sampledColumns = factOf((sample: readonly SampleRecord[]) => columnsOf(sample, []));

/** The column of what stands at a path in the sample; undefined at the empty path, which a field without a source has. */
export const columnAt = (columns: SampledColumns, [first, ...rest]: Path): SampledColumn | undefined =>
  first === undefined ? undefined : columns.get(String(first))?.at(rest);

/** `prefix`: the path to the records. */
function columnsOf(sample: readonly SampleRecord[], prefix: Path): SampledColumns {
  const valuesByName = new Map<string, unknown[]>();
  const valuesNamed = (name: string): unknown[] | undefined => {
    let values = valuesByName.get(name);
    if (values === undefined && valuesByName.size < MAX_NAMES) {
      values = [];
      valuesByName.set(name, values);
    }
    return values;
  };
  // Records of the same names share them.
  let lastNames: readonly string[] = [];
  let valuesOfNames: readonly (unknown[] | undefined)[] = [];
  for (const { names, cells } of sample) {
    if (names !== lastNames) valuesOfNames = names.map(valuesNamed);
    lastNames = names;
    for (const [i, values] of valuesOfNames.entries())
      if (cells[i] !== null && cells[i] !== undefined) values?.push(cells[i]);
  }
  return new Map([...valuesByName].map(([name, values]) => [name, new SampledColumn([...prefix, name], values)]));
}
