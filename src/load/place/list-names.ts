/**
 * What names say of lists: whether their elements are records, groups of records, or what accompanies records in the answer of an API.
 * Shape decides where names say nothing.
 */
import { collections } from '../../model.js';
import { words } from '../../text.js';
import { vocabularyOf } from '../fields/vocabulary.js';
import type { SampleRecord } from '../profile/sample.js';
import { isPlainObject, nameKey } from '../values/paths.js';

/** Whether a list is no group by its name: that of a documented collection, or of what accompanies records in the answer of an API. */
export const isListOfItsOwn = (name: string): boolean =>
  collections.some((documented) => documented.name === nameKey(name)) || isCompanion(name);

/** Lists that accompany the records in the answer of an API, and are no records of the dump themselves. */
const COMPANIONS = new Set(
  (
    'facets filters links errors included meta metadata pagination paging pages aggregations aggs suggestions warnings messages notices ' +
    'breadcrumbs breadcrumb debug headers options settings sort sorts sortoptions refinements buckets ads advertisements banners ' +
    'related recommendations recommended similar sponsored navigation menu menus languages currencies locales tracking params parameters'
  ).split(' '),
);

export const isCompanion = (name: string): boolean => COMPANIONS.has(nameKey(name));

/** Names of lists that hold the records of a group: `{"name": "Kitchen", "products": [{"name": "Pan", "price": 9}]}`. */
const RECORD_LISTS = new Set(
  (
    'products items articles posts stories entries listings books movies results records produkte artikel ' +
    'product item article post story entry listing book movie result record produkt'
  ).split(' '),
);

/** Whether a list of this name inside of a group has the group's records. */
export const holdsRecordsByName = (key: string): boolean => RECORD_LISTS.has(key);

/** Lists whose elements divide up what stands in them: `{"sections": [{"title": "Soups", "dishes": [{"name": "Leek", "price": 5}]}]}`. */
const SECTION_LISTS = new Set(
  words(
    'sections subsections categories subcategories groups subgroups departments aisles shelves chapters topics themes genres parts blocks tabs ' +
      'days weeks months seasons rounds regions countries cities districts zones areas floors rooms shops stores sellers vendors ' +
      'brands branches teams leagues divisions channels feeds boards menus abteilungen kategorien gruppen',
  ),
);

export const isSectionList = (key: string): boolean => SECTION_LISTS.has(key);

/** Names that a section has beside its title, its address and its picture. */
const NAMES_OF_SECTIONS = new Set(
  words('id key slug code type kind position rank sort index number description subtitle note count total size length'),
);

const TITLES = new Set(
  collections.flatMap(({ fields }) =>
    fields.flatMap((field) => {
      const { betterNames = [], aliases = [] } = vocabularyOf(field);
      const isOfSections = ['title', 'link', 'image', 'category'].includes(field.role ?? '');
      return isOfSections ? [field.name, ...betterNames, ...aliases].map(nameKey) : [];
    }),
  ),
);

/** Whether objects may divide up records: they only say what they are called, and where, and hold a list of objects. */
export const areSections = (records: readonly SampleRecord[]): boolean =>
  records.length > 0 &&
  records.slice(0, EXAMINED_RECORDS).every(isSection) &&
  records.some((one) => listsIn(one, (_, __, depth) => depth === 0).length > 0);

const EXAMINED_RECORDS = 20;

function isSection({ names, cells }: SampleRecord): boolean {
  const ownNames = names.filter((_, i) => typeof cells[i] !== 'object').map(nameKey);
  const isOfSections = (key: string): boolean =>
    TITLES.has(key) || NAMES_OF_SECTIONS.has(key) || SECTION_LISTS.has(`${key}s`);
  return ownNames.length > 0 && ownNames.every(isOfSections);
}

/** The ways to the lists of objects in a record, also inside of its objects, whose first elements pass. */
export const listsIn = (
  { names, cells }: SampleRecord,
  passes: (list: readonly unknown[], first: Readonly<Record<string, unknown>>, depth: number) => boolean,
  depth = 0,
): readonly (readonly string[])[] =>
  names.flatMap((name, i) => {
    const cell = cells[i];
    if (Array.isArray(cell)) return isPlainObject(cell[0]) && passes(cell, cell[0], depth) ? [[name]] : [];
    if (!isPlainObject(cell) || depth === MAX_LIST_DEPTH) return [];
    const inside = { names: Object.keys(cell), cells: Object.values(cell) };
    return listsIn(inside, passes, depth + 1).map((way) => [name, ...way]);
  });

const MAX_LIST_DEPTH = 4;

/** With fewer common names an object is none: many have a `name`. */
const MIN_COMMON_NAMES = 2;

/** Whether at least half of the names of an object's members are those of records. */
export function isLikeRecords(memberNames: readonly string[], recordNames: ReadonlySet<string>): boolean {
  const common = memberNames.filter((name) => recordNames.has(name)).length;
  return common >= MIN_COMMON_NAMES && 2 * common >= memberNames.length;
}

/** Whether records are orders, whose lists hold what was ordered: an item of an order is no product. */
export const areOrders = ([first]: readonly SampleRecord[]): boolean =>
  first?.names.some((name) => ORDER_NAMES.has(nameKey(name))) === true;

const ORDER_NAMES = new Set(
  'order orderid orderno ordernumber orderdate invoice invoiceid invoiceno invoicenumber customer customerid customername cart cartid basket basketid receipt receiptid buyer buyerid'.split(
    ' ',
  ),
);
