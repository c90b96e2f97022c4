/** The columns of a sample: of its records, and of the objects inside of a column. Each is found once, and profiled when that is asked for. */
import { type Path, pathText, valueAtPath } from '../values/paths.js';
import { type ColumnProfile, profileOf } from './column-profile.js';
import { factOf, factsOf } from './facts.js';
import { MAX_NAMES, type SampleRecord, sampleOf } from './sample.js';

/** A column of the sample, or of the objects in one, with its values that are not null. */
export interface SampledColumn {
  readonly name: string;
  readonly path: Path;
  /** The path as mappings and messages spell it. */
  readonly text: string;
  readonly values: readonly unknown[];
  readonly profile: () => ColumnProfile;
}

export type SampledColumns = ReadonlyMap<string, SampledColumn>;

const profileOfColumn = factOf((values: readonly unknown[]) => profileOf(values));

/** `text`: the path as a mapping spells it. */
export const sampledColumn = (path: Path, values: readonly unknown[], text = pathText(path)): SampledColumn => ({
  ...{ name: String(path.at(-1)), path, text, values },
  profile: () => profileOfColumn(values),
});

/** The columns of a sample. */
export const sampledColumns = (sample: readonly SampleRecord[]): SampledColumns => columnsAt(sample, '');

/** The columns of the objects in a column. */
export const innerColumns = ({ path, values }: SampledColumn): SampledColumns =>
  columnsAt(objectsIn(values), JSON.stringify(path));

/** The objects in a column, as records. */
export const objectsIn = factOf((values: readonly unknown[]) => sampleOf(values));

/** The values at a path in the sample; none at the empty path, which a field without a source has. */
export function valuesAtPath(columns: SampledColumns, [first, ...rest]: Path): readonly unknown[] {
  const values = first === undefined ? undefined : columns.get(String(first))?.values;
  if (values === undefined) return [];
  // The values of a whole column are its own, of which each fact is found once.
  return rest.length === 0 ? values : values.map((value) => valueAtPath(value, rest));
}

/** `at`: the path to the records, in JSON. */
const columnsAt = factsOf((sample: readonly SampleRecord[], at: string): SampledColumns => {
  const prefix: readonly string[] = at === '' ? [] : JSON.parse(at);
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
  return new Map([...valuesByName].map(([name, values]) => [name, sampledColumn([...prefix, name], values)]));
});
