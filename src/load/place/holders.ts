/**
 * The values of an object that holds a list of records become fields of these records, since they are true of all of them. A name of
 * the dump is kept. Names that would feed a field of the records themselves, such as an id or a title, get the noun of their list.
 *
 *     {"shops": [{"id": 7, "name": "Acme", "city": "Graz", "products": [{"id": 1, "name": "Tea"}]}]}
 *     {"shop_id": 7, "shop": "Acme", "city": "Graz", "id": 1, "name": "Tea"}
 */
import { collections, type FieldRole } from '../../model.js';
import { words } from '../../text.js';
import { vocabularyOf } from '../fields/vocabulary.js';
import { nameKey } from '../values/paths.js';
import type { HolderLevel, Holders, PlaceOptions, PlaceStep } from './json-place.js';
import { isCompanion } from './list-names.js';

const ROLES_BY_NAME = new Map(
  collections.flatMap(({ fields }) =>
    fields.flatMap((field) => {
      const { betterNames = [], aliases = [] } = vocabularyOf(field);
      return field.role === undefined
        ? []
        : [field.name, ...betterNames, ...aliases].map((name) => [nameKey(name), field.role] as const);
    }),
  ),
);

/** The role of the documented field that a name feeds, in whichever collection. */
const fieldRoleOf = (name: string): FieldRole | undefined => ROLES_BY_NAME.get(nameKey(name));

/** The objects from which a named step leads to the records. `roots`: how many values the file has, as far as it is known. */
export function holdersOf({ steps, keyName }: PlaceOptions, roots: number): Holders {
  const isRepeated = roots > 1 || steps.slice(0, -1).some((step) => typeof step === 'string');
  return new Map(
    steps.flatMap((step, at): readonly (readonly [number, HolderLevel])[] =>
      typeof step === 'string' ? [] : [[at, { noun: nounOf(steps.slice(0, at), keyName), isLone: !isRepeated }]],
    ),
  );
}

/** `shop` for the elements of `shops[]`, and for the object at `shop`; `group` where the name says nothing (`data[]`), `holder` where that is taken. */
function nounOf(steps: readonly PlaceStep[], keyName: string | undefined): string {
  const list = steps.at(-1) === 'each' ? steps.at(-2) : steps.at(-1);
  const noun = typeof list === 'object' ? singularNoun(list.name) : '';
  const isUsable = noun !== '' && !NO_NOUNS.has(nameKey(noun)) && mayFollow(fieldRoleOf(noun));
  if (isUsable) return noun;
  return keyName === 'group' ? 'holder' : 'group';
}

/** Nouns that say nothing of what holds the records, or are those of the records. */
const NO_NOUNS = new Set(
  words('data item result response record row entry object hit doc list product article post story book page question'),
);

const singularNoun = (name: string): string =>
  name
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');

/** Whether the value of a holder may feed this field of its records. */
const mayFollow = (role: FieldRole | undefined): boolean => role === undefined || ROLES_OF_HOLDERS.includes(role);

/** Fields that records have from what holds them, where they have none themselves. */
export const ROLES_OF_HOLDERS: readonly FieldRole[] = ['category', 'author', 'tags', 'date'];

/** Names of dates that are those of all records of a list. Others are the holder's own, such as `created_at`. */
const DATES = new Set(words('date day datum fecha'));

/** Names of what an answer says of itself and its pages. */
const OF_ANSWERS = new Set(
  words(
    'total totalcount totalresults totalitems totalhits totalpages count page pagenumber pagesize pagecount perpage pages numpages limit offset start startindex skip next nexturl nextpage prev previous previouspage prevpage first last cursor nextcursor endcursor nextpagetoken hasmore hasnext hasnextpage itemsperpage resultsperpage currentpage lastpage ok success took nbhits nbpages hitsperpage estimatedtotalhits processingtimems responseheader numfound numfoundexact matches maxscore startat maxresults expand',
  ),
);

/** Names by which the one object of a file, which holds all records, tells what they belong to. */
const OF_ALL_RECORDS = new Set(
  words(
    'shop store seller vendor merchant supplier brand market marketplace city region country area location branch day week month season group topic chapter league team publication newspaper magazine journal blog channel catalog catalogue menu restaurant',
  ),
);

/** The name that a holder's value has in its records; undefined where they do not get it. */
export function heldName(name: string, { noun, isLone }: HolderLevel): string | undefined {
  const key = nameKey(name);
  const role = fieldRoleOf(name);
  if (key === '' || /^[@$]/.test(name) || isCompanion(name)) return undefined;
  if (isLone) return role === 'category' || role === 'author' || OF_ALL_RECORDS.has(key) ? name : undefined;
  if (OF_ANSWERS.has(key)) return undefined;
  if (role === 'title') return noun;
  const isOfRecords = mayFollow(role) && (role !== 'date' || DATES.has(key));
  return isOfRecords ? name : [noun, 'group'].map((one) => `${one}_${name}`).find((one) => mayFollow(fieldRoleOf(one)));
}
