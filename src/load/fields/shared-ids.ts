/**
 * Integers that are no ids, since lists of a file, or files of a collection, have the same ones for other records: `amazon.json` and
 * `ebay.json` both count theirs from 1.
 */
import { type FieldRole, fieldOf } from '../../model.js';
import type { OpenedFile } from '../open-file.js';
import type { SampleRecord } from '../profile/sample.js';
import { valueAtPath } from '../values/paths.js';

/** Fields whose values tell records of one id apart, where these stand in lists of other names. */
const TELLING_ROLES: readonly FieldRole[] = ['price', 'body'];

/** The name of a list: a number, a date or an address names a page or a day, whose records are later versions. */
const LIST_NAME = /^\D+$/;

/** Between files, fewer records of another title are corrected ones. */
const MIN_OTHERS_OF_FILES = 2;

/** Records of ids that stand earlier in the collection, and those of them that are other records. */
interface Repeats {
  repeated: number;
  others: number;
}

interface RecordOfId {
  readonly file: OpenedFile;
  readonly id: string;
  /** Undefined where it has none. */
  readonly title: string | undefined;
  readonly list: string;
  readonly telling: string;
}

/**
 * The files of a collection whose ids are none: those whose lists share them, or all files, where one has mostly ids of larger ones.
 * Another record has another title, or stands in a list of another name with another price.
 *
 *     {"Kitchen": [{"id": 1, "name": "Wok"}], "Garden": [{"id": 1, "name": "Rake"}]}
 *     {"current": [{"id": 1, "name": "Tea", "price": 3}], "previous": [{"id": 1, "name": "Tea", "price": 2}]}
 */
export function filesSharingIds(files: readonly OpenedFile[]): readonly OpenedFile[] {
  const earlier = new Map<string, RecordOfId>();
  const largestFirst = files.toSorted((a, b) => b.layout.sample.length - a.layout.sample.length);
  const sharing: OpenedFile[] = [];
  for (const file of largestFirst) {
    const ofLists: Repeats = { repeated: 0, others: 0 };
    const ofFiles: Repeats = { repeated: 0, others: 0 };
    const records = recordsWithIds(file);
    for (const record of records) {
      const before = earlier.get(record.id);
      earlier.set(record.id, record);
      if (before === undefined) continue;
      const repeats = before.file === file ? ofLists : ofFiles;
      repeats.repeated++;
      if (isOther(before, record)) repeats.others++;
    }
    if (listNamesOf(file) !== undefined && areMostOthers(ofLists)) sharing.push(file);
    const idCount = new Set(records.map(({ id }) => id)).size;
    const isOfOthers = 2 * ofFiles.repeated > idCount && ofFiles.others >= MIN_OTHERS_OF_FILES;
    if (isOfOthers && areMostOthers(ofFiles)) return files;
  }
  return sharing;
}

const areMostOthers = ({ repeated, others }: Repeats): boolean => 2 * others > repeated;

const isOther = (a: RecordOfId, b: RecordOfId): boolean =>
  (a.title !== undefined && b.title !== undefined && a.title !== b.title) ||
  (a.list !== '' && b.list !== '' && a.list !== b.list && a.telling !== b.telling);

/** The columns that tell in which list of its file a record stands; undefined where all stand in one. */
function listNamesOf({ layout }: OpenedFile): readonly string[] | undefined {
  if (!('steps' in layout) || !layout.steps.slice(0, -1).some((step) => typeof step === 'string')) return undefined;
  const ofGroups = layout.steps.at(-1) === 'each' ? [layout.keyName ?? ''] : [];
  return [...(layout.heldNames ?? []), ...ofGroups];
}

/** The first records of a file that have an id of their own. */
function recordsWithIds(file: OpenedFile): readonly RecordOfId[] {
  const { plan, layout, hasIds } = file;
  const valuesOf = (roles: readonly FieldRole[], record: SampleRecord): readonly string[] =>
    roles.flatMap((role) => {
      const [name, ...inner] = plan.fed.get(fieldOf(plan.model, role)?.name ?? '')?.path ?? [];
      const value = name === undefined ? undefined : valueAtPath(namedCell(record, String(name)), inner);
      return value === undefined || value === null ? [] : [String(value)];
    });
  const listNames = listNamesOf(file) ?? [];
  return (hasIds ? layout.sample : []).flatMap((record): readonly RecordOfId[] => {
    const [[id], [title]] = [valuesOf(['id'], record), valuesOf(['title'], record)];
    const lists = listNames.map((name) => namedCell(record, name));
    const list = lists.filter((name) => typeof name === 'string' && LIST_NAME.test(name)).join('\n');
    return id === undefined ? [] : [{ file, id, title, list, telling: valuesOf(TELLING_ROLES, record).join('\n') }];
  });
}

const namedCell = ({ names, cells }: SampleRecord, name: string): unknown => cells[names.indexOf(name)];
