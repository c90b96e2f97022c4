/** Integers that are no ids, since lists of a file, or files of a collection, have the same ones for other records. */
import type { FieldRole } from '../../model.js';
import type { SampleRecord } from '../profile/sample.js';
import { type Path, valueAtPath } from '../values/paths.js';

/** Records that stand in several lists of a file, and the columns that tell which one. */
export interface RecordsOfLists {
  readonly records: readonly SampleRecord[];
  readonly listNames: readonly string[];
}

/** Fields whose values tell records of one id apart, where these stand in lists of other names. */
const TELLING_ROLES: readonly FieldRole[] = ['price', 'body'];

/** The name of a list: a number, a date or an address names a page or a day, whose records are later versions. */
const LIST_NAME = /^\D+$/;

/**
 * Whether most ids that lists have in common are those of other records: these have another title, or stand in lists of other names with
 * another price. `namesOf`: the columns with names of such fields.
 *
 *     {"Kitchen": [{"id": 1, "name": "Wok"}], "Garden": [{"id": 1, "name": "Rake"}]}
 *     {"current": [{"id": 1, "name": "Tea", "price": 3}], "previous": [{"id": 1, "name": "Tea", "price": 2}]}
 */
export function listsShareIds(
  { records, listNames }: RecordsOfLists,
  idName: string,
  namesOf: (roles: readonly FieldRole[]) => readonly string[],
): boolean {
  const [titleNames, tellingNames] = [namesOf(['title']), namesOf(TELLING_ROLES)];
  const earlier = new Map<unknown, { readonly title: string; readonly list: string; readonly values: string }>();
  let [repeated, others] = [0, 0];
  for (const { names, cells } of records) {
    const cellsOf = (wanted: readonly string[]) => cells.filter((_, i) => wanted.includes(names[i] ?? ''));
    const id = cells[names.indexOf(idName)];
    if (id === undefined || id === null) continue;
    const list = cellsOf(listNames).filter((cell) => typeof cell === 'string' && LIST_NAME.test(cell));
    const [title, values] = [jsonOfCells(cellsOf(titleNames)), jsonOfCells(cellsOf(tellingNames))];
    const one = { title, list: list.join('\n'), values };
    const before = earlier.get(id);
    earlier.set(id, one);
    if (before === undefined) continue;
    const areOfNamedLists = one.list !== '' && before.list !== '' && one.list !== before.list;
    repeated++;
    if (one.title !== before.title || (areOfNamedLists && one.values !== before.values)) others++;
  }
  return 2 * others > repeated;
}

/** Cells as a text to compare. JSON has no text for an integer that no double holds. */
const jsonOfCells = (cells: readonly unknown[]): string =>
  JSON.stringify(cells.map((cell) => (typeof cell === 'bigint' ? String(cell) : cell)));

/** The first records of an opened file, and the paths in them that feed its fields. */
interface PlannedRecords {
  readonly plan: { readonly fed: ReadonlyMap<string, { readonly path: Path }> };
  readonly layout: { readonly sample: readonly SampleRecord[] };
  readonly hasIds: boolean;
}

/** Fewer records of another title are corrected ones. */
const MIN_OTHERS = 2;

/** Whether some file has mostly ids of larger files, with other titles: `amazon.json` and `ebay.json` both count theirs from 1. */
export function filesShareIds(files: readonly PlannedRecords[]): boolean {
  const titles = new Map<unknown, unknown>();
  return files
    .map(titlesById)
    .toSorted((a, b) => b.size - a.size)
    .some((ofFile) => {
      const repeated = [...ofFile].filter(([id]) => titles.has(id));
      const otherRecords = repeated.filter(([id, title]) => titles.get(id) !== title);
      for (const [id, title] of ofFile) titles.set(id, title);
      return (
        otherRecords.length >= MIN_OTHERS &&
        2 * otherRecords.length > repeated.length &&
        2 * repeated.length > ofFile.size
      );
    });
}

/** By id the titles of a file's first records. */
function titlesById({ plan, layout, hasIds }: PlannedRecords): ReadonlyMap<unknown, unknown> {
  const valueIn = ({ names, cells }: SampleRecord, [name, ...inner]: Path): unknown =>
    valueAtPath(cells[names.indexOf(String(name))], inner);
  const [id, title] = [plan.fed.get('id'), plan.fed.get('title')];
  if (!hasIds || id === undefined || title === undefined) return new Map();
  return new Map(layout.sample.map((record) => [String(valueIn(record, id.path)), valueIn(record, title.path)]));
}
