/**
 * Where records stand in a JSON file: the steps from its root to each of them.
 *
 *     {"total":2,"items":[{…},{…}]}     items[]
 *     {"101":{…},"102":{…}}             *
 */
/** A step leads to a member by its name, to each element of an array, or to each member of an object, whose name may be an id. */
export type PlaceStep = { readonly name: string } | 'each' | 'members';

/** `data.items[]`, `[].products[]`, `books.*`: how the report names a place. */
export const placeText = (steps: readonly PlaceStep[]): string =>
  steps
    .map((step, i) => {
      if (step === 'each') return '[]';
      const name = step === 'members' ? '*' : step.name;
      return i === 0 ? name : `.${name}`;
    })
    .join('');

/** The steps of such a text, or null where it is none. */
export function stepsAt(text: string): readonly PlaceStep[] | null {
  const parts = text.match(/\[\]|[^.[\]]+/g) ?? [];
  const isWhole = /^(?:\[\]|\*|[^.*[\]]+)(?:\[\]|\.\*|\.[^.*[\]]+)*$/.test(text);
  if (!isWhole) return null;
  return parts.map((part) => (part === '[]' ? 'each' : part === '*' ? 'members' : { name: part }));
}

/** The objects at one step of a place, each of which holds records. */
export interface HolderLevel {
  /** The noun for one of them: `shop`. */
  readonly noun: string;
  /** All records of the file stand in one object. What else it says is mostly about the answer, not about the records. */
  readonly isLone: boolean;
}

/** By the number of steps that lead to a holder. */
export type Holders = ReadonlyMap<number, HolderLevel>;

/** A place where values stand that are not read: how many such places there are, and the line of the first. */
export interface LeftOutPlace {
  readonly why: 'list' | 'rows' | 'depth' | 'late value' | 'no list';
  readonly places: number;
  readonly line: number;
}

/** The kind of records that is read at a place with several kinds, told by the value of a member: `type` is `product`. */
export interface KindOfRecords {
  readonly member: string;
  readonly values: ReadonlySet<string>;
  /** Whether the records with these values are those that are not read. */
  readonly areLeftOut: boolean;
}

export interface PlaceOptions {
  /** `document`: one value; `sequence`: values one after the other, as in NDJSON. */
  readonly shape: 'document' | 'sequence';
  /** The steps from a root value to a record. */
  readonly steps: readonly PlaceStep[];
  /** The names of a row's cells, where records are rows. `hasHeader`: the first row of each table holds these names. */
  readonly header?: readonly string[];
  readonly hasHeader?: boolean;
  /** Where the list of these names stands, if it is beside the rows: `meta.view.columns[]`. */
  readonly columnsPlace?: string;
  /** Where a list with a label for each row stands, which is not read: `index[]`. */
  readonly labelsPlace?: string;
  /** The member that gets a record's key in its object: `id` where some keys are integers, else `key`; that of its group is `group`. */
  readonly keyName?: string;
  /** The objects on the way whose values become fields of the records in them. */
  readonly holders?: Holders;
  /** Undefined: all records are read. */
  readonly kind?: KindOfRecords;
  /** Lists that are read elsewhere, or told of already. Undefined: no list beside the way is told of. */
  readonly knownLists?: ReadonlySet<string>;
  /** The names of the first records: objects beside them that have most of these are told of. */
  readonly recordNames?: ReadonlySet<string>;
  /** Whether the objects beside the records are data too, as in `{"posts": […], "comments": […], "profile": {…}}`. */
  readonly areObjectsData?: boolean;
}

export const isId = (key: string): boolean => /^-?\d{1,15}$/.test(key);

/** An address names no field. */
export const isAddress = (key: string): boolean => /^https?:\/\//.test(key);

/** A record's key as a value: an integer where it may be an id, and no code such as `007`. */
export function keyValue(key: string): string | number {
  const number = Number(key);
  return isId(key) && String(number) === key ? number : key;
}
