/**
 * The names that records had so far, in their order, and what is done with the value of each: as the tables by which the kernel
 * reads records (`kernels/records-layout.ts`), written into the memory of the batch.
 */
import {
  DATE,
  DECIMAL,
  FIRST,
  HAS_ENTITIES,
  HAS_LIST,
  HAS_NULL_WORDS,
  HAS_RIVAL,
  INTEGER,
  IS_HTML,
  IS_OWN,
  IS_SPARE,
  LEFT,
  MEMBERS,
  NAME_ABSENT,
  NAME_BYTES,
  NAME_COLUMN,
  NAME_FLAGS,
  NAME_INNER,
  NAME_LENGTH,
  NAME_SEEN,
  NAME_VALUE,
  REQUIRED,
  SKIPPED,
  STAMP,
  TABLE_HEAD_BYTES,
  TABLES,
  TABLES_BYTES,
  TAGS,
  TEXTUAL,
} from '../kernels/records-layout.js';
import { type CollectionModel, isList } from '../model.js';
import type { BatchFiller } from './batch-filler.js';
import type { Columns } from './columns.js';
import type { Path } from './paths.js';
import { isReadWhole } from './text-forms.js';

const VALUES = {
  integer: INTEGER,
  number: DECIMAL,
  date: DATE,
  // The caller reads them: the kernel knows no booleans.
  boolean: LEFT,
  text: TEXTUAL,
  code: TEXTUAL,
  url: TEXTUAL,
  texts: TAGS,
  codes: TAGS,
} as const;

/** Where a field's value stands inside of a value. */
interface Fed {
  readonly field: number;
  readonly path: Path;
}

interface Name {
  readonly text: string;
  readonly value: number;
  readonly field?: number;
  readonly flags: number;
  readonly inner?: readonly Name[];
}

export class RecordNames {
  /** The address of the table. */
  readonly table = TABLES;
  /** Whether the names have a table: too many do not. */
  readonly isReadable: boolean;
  readonly columns: Columns;
  readonly #filler: BatchFiller;
  readonly #names: readonly Name[];
  #end = TABLES;

  constructor(columns: Columns, filler: BatchFiller) {
    this.columns = columns;
    this.#filler = filler;
    this.#names = columns.names.map((text, i) => nameOf(text, i, columns, filler));
    // The kernel reads a field without what stands beside it.
    const isAlone = columns.scrapedPosition === -1;
    this.isReadable = isAlone && this.#write(this.#names, isOwnOrder(filler.model, this.#names)) !== undefined;
  }

  /** Marks a name as one that the next record has. */
  mark(index: number): void {
    const { words } = this.#filler.batch;
    words[this.#word(index, NAME_SEEN)] = words[STAMP / 4]! + 1;
  }

  /** The field that a name's address stands for. */
  fieldAt(address: number): number {
    return this.#filler.batch.words[(address + NAME_COLUMN) / 4]!;
  }

  /** The place of a name among the records' own. */
  indexAt = (address: number): number => (address - this.table - TABLE_HEAD_BYTES) / NAME_BYTES;

  /** Whether the value of a name is kept besides the fields. */
  isSpare = (index: number): boolean => (this.#names[index]!.flags & IS_SPARE) !== 0;

  /** Adds what was counted to the columns. */
  settleCounts(): void {
    const { words } = this.#filler.batch;
    for (let i = 0; i < this.#names.length && this.isReadable; i++) {
      this.columns.absent[i]! += words[this.#word(i, NAME_ABSENT)]!;
      words[this.#word(i, NAME_ABSENT)] = 0;
    }
  }

  #word(index: number, part: number): number {
    return (this.table + TABLE_HEAD_BYTES + index * NAME_BYTES + part) / 4;
  }

  /** Writes a table and those inside of it; returns its address, or undefined where there is no room. */
  #write(names: readonly Name[], isOwn: boolean): number | undefined {
    const { words } = this.#filler.batch;
    const table = this.#reserve(TABLE_HEAD_BYTES + names.length * NAME_BYTES);
    if (table === undefined) return undefined;
    words[table / 4] = names.length;
    words[(table + IS_OWN) / 4] = isOwn ? 1 : 0;
    words[(table + HAS_LIST) / 4] = hasList(names) ? 1 : 0;
    for (const [i, { text, value, field = 0, flags, inner }] of names.entries()) {
      const quoted = Buffer.from(`${JSON.stringify(text)}:`);
      const at = this.#reserve(quoted.length);
      const innerTable = inner && this.#write(inner, false);
      if (at === undefined || (inner && innerTable === undefined)) return undefined;
      Buffer.from(words.buffer).set(quoted, at);
      const name = (table + TABLE_HEAD_BYTES + i * NAME_BYTES) / 4;
      words.fill(0, name, name + NAME_BYTES / 4);
      words[name] = at;
      words[name + NAME_LENGTH / 4] = quoted.length;
      words[name + NAME_VALUE / 4] = value;
      words[name + NAME_COLUMN / 4] = field;
      words[name + NAME_FLAGS / 4] = flags;
      words[name + NAME_INNER / 4] = innerTable ?? 0;
    }
    return table;
  }

  #reserve(bytes: number): number | undefined {
    const at = this.#end;
    this.#end = Math.ceil((at + bytes) / 4) * 4;
    return this.#end > TABLES + TABLES_BYTES ? undefined : at;
  }
}

/** One of the records' own names. */
function nameOf(text: string, index: number, columns: Columns, filler: BatchFiller): Name {
  const { positions, paths, rivals, spare, typePosition } = columns;
  const fed = positions.flatMap((position, field) =>
    position === index && !(filler.givesIds && field === 0) ? [{ field, path: paths[field]! }] : [],
  );
  const isSpare = filler.extra !== undefined && (spare[index] || (filler.givesIds && positions[0] === index));
  const hasRival = positions.some((position, field) => position === index && rivals[field]);
  const flags = (isSpare ? IS_SPARE : 0) | (hasRival ? HAS_RIVAL : 0);
  const isType = index === typePosition;
  const known = isType ? undefined : fed.length === 0 ? { text, value: SKIPPED, flags: 0 } : nameFor(text, fed, filler);
  return { ...(known ?? { text, value: LEFT, flags: 0 }), flags: (known?.flags ?? 0) | flags };
}

/** What is done with a value to which these paths lead; undefined where the tables cannot tell. */
function nameFor(text: string, fed: readonly Fed[], filler: BatchFiller): Name | undefined {
  const [only] = fed;
  if (fed.length === 1 && only?.path.length === 0)
    return filler.model.fields[only.field]?.kind === 'boolean' ? undefined : fieldOf(text, only.field, filler);
  const steps = new Set(fed.map(({ path }) => path[0]));
  if (steps.has(undefined)) return undefined;
  const isFirst = steps.size === 1 && steps.has(0);
  if (!isFirst && ![...steps].every((step) => typeof step === 'string')) return undefined;
  const inner: Name[] = [];
  for (const step of steps) {
    const behind = fed
      .filter(({ path }) => path[0] === step)
      .map(({ field, path }) => ({ field, path: path.slice(1) }));
    const name = nameFor(String(step), behind, filler);
    if (name === undefined) return undefined;
    inner.push(name);
  }
  return { text, value: isFirst ? FIRST : MEMBERS, flags: 0, inner };
}

function fieldOf(text: string, field: number, { model, forms, context }: BatchFiller): Name {
  const { kind = 'text', required } = model.fields[field] ?? {};
  const form = forms[field];
  const words = context.isOwn === true ? 0 : HAS_NULL_WORDS;
  const flags =
    words | (required ? REQUIRED : 0) | (isReadWhole(form) ? IS_HTML : form === 'entities' ? HAS_ENTITIES : 0);
  return { text, value: VALUES[kind], field, flags };
}

const hasList = (names: readonly Name[]): boolean =>
  names.some(({ value, inner }) => value === TAGS || (inner !== undefined && hasList(inner)));

/** Whether records of these names may be written as the service writes them: all fields but lists, in the model's order, and nothing else. */
function isOwnOrder({ fields }: CollectionModel, names: readonly Name[]): boolean {
  const found = names.map(({ text, field, flags }) =>
    fields[field ?? -1]?.name === text && (flags & (HAS_RIVAL | IS_SPARE)) === 0 ? field : -1,
  );
  const isAscending = found.every((field, i) => field !== -1 && (i === 0 || (field ?? 0) > (found[i - 1] ?? 0)));
  return isAscending && fields.every(({ kind }, field) => isList(kind) || found.includes(field));
}
