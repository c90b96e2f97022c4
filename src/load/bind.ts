/**
 * Binds the records of any format (`source-row.ts`) to fields, and fills record batches. For each array of names it is decided once which
 * member feeds which field, by which path. A member that is canonical for its field becomes a cell as it stands; any other is read
 * (`values.ts`), and its canonical spelling is written behind the reader's bytes. A record without a required value is refused.
 *
 *     {"name":"Tea","price":"£4.20"}     title: the span of Tea; price: 4.2, which is written and remembered
 */

import {
  ABSENT,
  BATCH_RECORDS,
  BOOLEAN,
  cellOf,
  ESCAPED_TEXT,
  LIST,
  NULL,
  NUMBER,
  RAW,
  TEXT,
  textOf,
} from '../batch.js';
import { ARRAY, COUNT, OBJECT } from '../kernels/json-layout.js';
import {
  type CollectionModel,
  type Field,
  ID_FIELD,
  isList,
  isNumeric,
  isTextual,
  roleIndex,
  type Value,
} from '../model.js';
import {
  AMPERSAND,
  BACKSLASH,
  DELETE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  parsedJson,
  QUOTE,
  SPACE,
  unguardFormula,
} from '../text.js';
import type { BatchMemory } from './batch-memory.js';
import { type ColumnPlan, type Columns, findColumns } from './columns.js';
import { type DateOrder, dateIn, provenOrder } from './dates.js';
import type { Decoder } from './decode.js';
import type { SnapshotFile } from './folder.js';
import { type Path, valueAt } from './paths.js';
import { BARE_TEXT, NameTree, NOTHING, SourceRow } from './source-row.js';
import type { CellNote, Tally } from './tally.js';
import { isReadWhole, type TextForm } from './text-forms.js';
import { firstWords, MAX_NULL_WORD, NULL_INITIALS, wellFormedText } from './texts.js';
import { type CellContext, type Markup, mayHoldList, type Reading, readCell, requiredReason, timeOf } from './values.js';

/** A batch is full when the canonical spellings that were written take this many bytes. */
const FULL_BYTES = 1 << 17;
/** Longer texts are not remembered, nor texts whose cell is longer. */
const MAX_MEMO_BYTES = 48;
/** A field's memo is emptied when it has this many texts. */
const MAX_MEMO_TEXTS = 1 << 14;
/** Past this many arrays of names all are forgotten, so that dumps with ever new names need no more memory. */
const MAX_BINDINGS = 1000;

export interface BinderOptions {
  readonly model: CollectionModel;
  readonly memory: BatchMemory;
  readonly tally: Tally;
  readonly plan: ColumnPlan;
  /** Record n gets the id `firstId + n - 1`; undefined where records have ids of their own. */
  readonly firstId: number | undefined;
  readonly context: CellContext;
  /** Per field the form of its texts. */
  readonly forms: readonly TextForm[];
  /** Reads texts of other forms than `plain`. */
  readonly markup?: Markup | undefined;
  /** Called once for the columns of each array of names, when its records are counted. */
  readonly onColumns: (columns: Columns) => void;
  /** Takes a full batch. */
  readonly take: (batch: BatchMemory) => void;
}

/** A field as the binder needs it. */
interface FieldRules {
  readonly row: number;
  readonly field: Field;
  readonly isRequired: boolean;
  readonly isInteger: boolean;
  readonly isNumeric: boolean;
  readonly isTextual: boolean;
  readonly isList: boolean;
  readonly isDate: boolean;
  /** The value is kept as it came, in JSON. */
  readonly isJson: boolean;
  /** Every text has to be rewritten. */
  readonly isReadWhole: boolean;
  /** Texts with entities have to be rewritten. */
  readonly hasEntities: boolean;
  /** A text may spell a list. */
  readonly mayHoldList: boolean;
  /** The cells that short texts of the source became: so each spelling is read once. */
  readonly memo: Map<string, RememberedCell>;
  /** The notes of a repair and of a cell left null that are only counted: the report does not show the cell. */
  readonly repaired: CellNote;
  readonly leftNull: CellNote;
}

interface RememberedCell {
  readonly kind: number;
  readonly number: number;
  readonly bytes: Uint8Array;
  /** The finding about the text: it was repaired, or its cell was left null. */
  readonly note: CellNote | undefined;
  /** A date of the text shows another order of day and month than that by which it is read. */
  readonly contradicts: boolean;
  /** The last batch that holds the bytes, and where they begin there. */
  batch: number;
  start: number;
}

/** A member that feeds fields: itself, or by a path into it. */
interface FedMember {
  readonly member: number;
  readonly rules: FieldRules;
  readonly path: Path;
}

/** The members that feed fields, for all records of the same names. */
interface Binding {
  readonly columns: Columns;
  readonly fed: readonly FedMember[];
  readonly groups: readonly Group[];
}

/** Fields that are fed from inside of one member. */
interface Group {
  readonly member: number;
  readonly fed: readonly FedPath[];
  /** The names of the member's objects, and per array of names the members that feed fields. */
  readonly tree: NameTree;
  readonly bindings: WeakMap<readonly string[], Fed>;
  /** Whether the first step of every path is a name. */
  readonly areNamed: boolean;
  /** The elements that feed fields where the member is a list; undefined where a path does not begin with an element's number. */
  readonly elements: Fed | undefined;
}

type FedPath = Omit<FedMember, 'member'>;
type Fed = Pick<Binding, 'fed' | 'groups'>;

export class Binder {
  readonly memory: BatchMemory;
  readonly #options: BinderOptions;
  readonly #rules: readonly FieldRules[];
  readonly #required: readonly FieldRules[];
  readonly #title: FieldRules | undefined;
  readonly #contentField: number;
  readonly #isCsv: boolean;
  readonly #isOurExport: boolean;
  /** Apostrophes guard the formulas of the file. */
  readonly #isGuarded: boolean;
  #contexts: readonly CellContext[] = [];
  readonly #bindings = new Map<readonly string[], Binding>();
  #names: readonly string[] | undefined;
  #binding: Binding | undefined;
  /** The reader's bytes end here; canonical spellings follow up to `#used`. */
  #windowBytes = 0;
  #used = 0;
  #batch = 0;
  /** The number of dates that prove another order of day and month than the one by which they are read. */
  contradictions = 0;
  // The state of the record that is being bound.
  #usedBefore = 0;
  /** The first `#noteCount` notes are the record's; the array is used again for each record. */
  readonly #notes: CellNote[] = [];
  #noteCount = 0;
  #refused: FieldRules | undefined;
  #refusedRaw: unknown;
  #scrapedAtMs: number | undefined;

  constructor(options: BinderOptions) {
    const { model, memory, context, forms, markup } = options;
    this.#options = options;
    this.memory = memory;
    this.#isCsv = context.isCsv;
    this.#isOurExport = context.isOurExport === true;
    this.#isGuarded = context.isGuarded === true;
    this.#contexts = forms.map((form) => ({ ...context, form, ...(markup && { markup }) }));
    this.#rules = model.fields.map((field, row) => rulesOf(field, row, forms[row] ?? 'plain', context));
    this.#required = this.#rules.filter(({ isRequired }) => isRequired);
    this.#title = this.#rules[roleIndex(model, 'title')];
    this.#contentField = roleIndex(model, 'body');
    memory.useColumns(model.fields.length);
  }

  get isFull(): boolean {
    return this.memory.size === BATCH_RECORDS || this.#used - this.#windowBytes > FULL_BYTES;
  }

  /** Gives the first bytes of the memory to the reader, who may write to them while the batch is empty. Their contents stay. */
  openWindow(bytes: number): void {
    this.memory.reserve(bytes + FULL_BYTES);
    this.#windowBytes = bytes;
    this.#used = bytes;
    this.#batch++;
  }

  /** Hands on the batch, and empties it. */
  flush(): void {
    if (this.memory.size > 0) this.#options.take(this.memory);
    this.memory.size = 0;
    this.#used = this.#windowBytes;
    this.#batch++;
  }

  /** Makes room for bytes behind all that was written; returns where the room begins. */
  makeRoom(bytes: number): number {
    this.memory.reserve(this.#used + bytes);
    return this.#used;
  }

  /** Keeps the bytes that were written into this room, up to `end`. */
  keep(end: number): void {
    this.#used = end;
  }

  /** Refuses a record for a fault that its reader has found. */
  refuse(line: number, reason: string): void {
    this.#options.tally.begin();
    this.#options.tally.refuse(line, reason);
  }

  /** Takes a record, for which there is room, into the batch. */
  bind(row: SourceRow, line: number): void {
    const { columns, fed, groups } = this.#bindingOf(row.names);
    this.#begin(line);
    const { types } = columns;
    if (types !== undefined && columns.typePosition !== -1) {
      const otherType = types.otherType(row.value(columns.typePosition));
      if (otherType !== undefined) {
        this.#options.tally.leaveOut(otherType);
        this.#used = this.#usedBefore;
        return;
      }
    }
    if (columns.scrapedPosition !== -1) this.#setScrapedAt(row.value(columns.scrapedPosition));
    for (let i = 0; i < fed.length; i++) this.#member(row, fed[i]!.member, fed[i]!.rules);
    for (let i = 0; i < groups.length; i++) this.#inside(row, groups[i]!);
    columns.records++;
    this.#end();
  }

  #bindingOf(names: readonly string[]): Binding {
    if (names === this.#names && this.#binding !== undefined) return this.#binding;
    let binding = this.#bindings.get(names);
    if (binding === undefined) {
      if (this.#bindings.size === MAX_BINDINGS) this.countColumns();
      const columns = findColumns(this.#options.plan, names);
      const givesIds = this.#options.firstId !== undefined;
      const fed = columns.fed.filter(({ field }) => !(givesIds && field === ID_FIELD));
      const members = fed.map(({ field, position, path }) => ({ member: position, rules: this.#rules[field]!, path }));
      binding = { columns, ...grouped(members, this.memory) };
      this.#bindings.set(names, binding);
    }
    this.#names = names;
    this.#binding = binding;
    return binding;
  }

  /** Tells the names that records had, with their numbers, and forgets them. */
  countColumns(): void {
    for (const { columns } of this.#bindings.values()) this.#options.onColumns(columns);
    this.#bindings.clear();
  }

  #begin(line: number): void {
    const { size, kinds, numbers, lines } = this.memory;
    for (let cell = size; cell < kinds.length; cell += BATCH_RECORDS) {
      kinds[cell] = ABSENT;
      numbers[cell] = Number.NaN;
    }
    lines[size] = line;
    this.#usedBefore = this.#used;
    this.#noteCount = 0;
    this.#refused = undefined;
    this.#scrapedAtMs = undefined;
  }

  /** Relative dates of the record count from its own time of scraping. */
  #setScrapedAt(raw: unknown): void {
    const { context } = this.#options;
    this.#scrapedAtMs = timeOf(raw, context.dateOrder) ?? context.scrapedAtMs;
  }

  /** Feeds fields from values inside of a member: objects and lists are written to the tape behind the record, anything else is parsed. */
  #inside(row: SourceRow, group: Group): void {
    const { member, fed, areNamed, elements } = group;
    const kind = row.kind(member);
    if (kind === NULL || kind === NOTHING) return;
    if (kind === OBJECT && areNamed) this.#object(row, row.start(member), group);
    else if ((kind === ARRAY || kind === LIST) && elements !== undefined) {
      const list = this.#tape(row, row.start(member), row.end(member));
      this.#feed(list, elements, list.size);
    } else {
      const only = kind === ARRAY && areNamed ? this.#onlyObject(row, member, fed) : 0;
      if (only !== 0) this.#object(row, only, group);
      else if (kind !== OBJECT && kind !== ARRAY && kind !== LIST && areNamed && fed.every(hasOneStep))
        for (const { rules } of fed) this.#member(row, member, rules);
      else {
        const value = this.#valueOf(row, member);
        for (const { rules, path } of fed) this.#take(rules, valueAt(value, path, rules.isList));
      }
    }
  }

  /** The members of an object or list, behind those of a row on the tape. */
  #tape(row: SourceRow, start: number, end: number): SourceRow {
    const inner = new SourceRow(this.memory, row.first + row.size);
    this.memory.kernel.members(start, end, inner.first);
    inner.size = this.memory.words[COUNT / 4]!;
    return inner;
  }

  #object(row: SourceRow, start: number, { tree, bindings, fed }: Group): void {
    // The record was proved, and the object ends in it.
    const object = this.#tape(row, start, this.memory.bytes.length);
    tree.name(object);
    let binding = bindings.get(object.names);
    if (binding === undefined) {
      binding = bindingInside(object.names, fed, this.memory);
      bindings.set(object.names, binding);
    }
    this.#feed(object, binding, object.size);
  }

  #feed(row: SourceRow, { fed, groups }: Fed, size: number): void {
    for (const { member, rules } of fed) if (member < size) this.#member(row, member, rules);
    for (const group of groups) if (group.member < size) this.#inside(row, group);
  }

  /** The start of a list's only object; 0 where the list has another form, or feeds a field of lists. */
  #onlyObject(row: SourceRow, member: number, fed: readonly FedPath[]): number {
    if (fed.some(({ rules }) => rules.isList)) return 0;
    const elements = this.#tape(row, row.start(member), row.end(member));
    return elements.size === 1 && elements.kind(0) === OBJECT ? elements.start(0) : 0;
  }

  /** Sets a field's cell to a member: as it stands, as it is remembered, or as it is read. */
  #member(row: SourceRow, member: number, rules: FieldRules): void {
    const kind = row.kind(member);
    if (kind === NOTHING) return;
    const start = row.start(member);
    const end = row.end(member);
    if (kind === NULL) this.#setCell(rules.row, NULL, start, end, Number.NaN);
    else if (rules.isJson) this.#keep(row, member, rules);
    else if (!this.#setCanonical(row, member, rules, kind, start, end))
      this.#coerce(row, member, rules, kind, start, end);
  }

  /** Sets a cell to a member as it came, without white space around its tokens. A cell of CSV may hold JSON. */
  #keep(row: SourceRow, member: number, { row: field }: FieldRules): void {
    let [start, end] = row.outerSpan(member);
    if (this.#isCsv) {
      const text = String(this.#valueOf(row, member));
      const isJson = (parsedJson(text) ?? undefined) !== undefined;
      [start, end] = this.#write(isJson ? text : JSON.stringify(text));
    }
    const at = this.makeRoom(end - start + 1);
    const { bytes } = this.memory;
    const to = copyWithoutSpace(bytes, start, end, bytes, at);
    this.#used = to + 1;
    this.#setCell(field, RAW, at, to, Number.NaN);
  }

  /** Writes a text behind all that was written; returns its bounds. */
  #write(text: string): [start: number, end: number] {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    const start = this.makeRoom(3 * text.length + 1);
    const end = start + this.memory.bytes.write(text, start);
    this.#used = end + 1;
    return [start, end];
  }

  /** Sets a field's cell to a member that is canonical for it; false where the member is not. */
  #setCanonical(row: SourceRow, member: number, rules: FieldRules, kind: number, start: number, end: number): boolean {
    const { row: field } = rules;
    if (rules.isNumeric) {
      if (kind === NUMBER) {
        const number = row.number(member);
        if (Number.isNaN(number) || (rules.isInteger && !Number.isInteger(number))) return false;
        this.#setCell(field, NUMBER, start, end, number);
        return true;
      }
      return kind === TEXT && this.#setNumber(rules, start, end);
    }
    if (rules.isTextual) {
      if (kind !== TEXT && kind !== ESCAPED_TEXT && kind !== BARE_TEXT) return false;
      if (!this.#isPlain(rules, start, end)) return false;
      if (kind !== BARE_TEXT) this.#setCell(field, kind, start, end, Number.NaN);
      return kind !== BARE_TEXT || this.#setEscaped(field, start, end);
    }
    if (rules.isDate) {
      const timeMs = kind === TEXT ? dateIn(this.memory.bytes, start, end) : Number.NaN;
      if (Number.isNaN(timeMs)) return false;
      this.#setCell(field, TEXT, start, end, timeMs);
      return true;
    }
    if (rules.isList) {
      const isWritten =
        kind === LIST || (this.#isCsv && kind === BARE_TEXT && this.memory.kernel.list(start, end) === end);
      if (!isWritten || this.memory.bytes[start] !== OPEN_ARRAY || rules.isReadWhole) return false;
      if (rules.hasEntities && this.memory.kernel.holds(AMPERSAND, start, end) !== 0) return false;
      this.#setCell(field, LIST, start, end, Number.NaN);
      return true;
    }
    if (kind !== BOOLEAN) return false;
    this.#setCell(field, BOOLEAN, start, end, row.number(member));
    return true;
  }

  /** Sets a cell to a number that stands in a text, which is native to CSV and a repair in JSON; false for any other text. */
  #setNumber(rules: FieldRules, start: number, end: number): boolean {
    if (this.#options.context.hasDecimalCommas === true) return false;
    const number = this.memory.canonicalNumber(start, end);
    if (Number.isNaN(number) || (rules.isInteger && !Number.isInteger(number))) return false;
    this.#setCell(rules.row, NUMBER, start, end, number);
    if (this.#isCsv) return true;
    const { tally } = this.#options;
    const isExample = tally.wantsExample(rules.row);
    const raw = isExample ? this.memory.bytes.toString('latin1', start, end) : '';
    this.#note(isExample ? { field: rules.row, raw, read: number } : rules.repaired);
    return true;
  }

  /** Whether a text is its field's value as it stands: no blank title, no word for no value, no entity, no list in a cell of CSV. */
  #isPlain(rules: FieldRules, start: number, end: number): boolean {
    const { bytes, kernel } = this.memory;
    const first = start < end ? bytes[start]! : 0;
    if (rules.isReadWhole) return false;
    if (rules.isRequired && (first <= SPACE || first >= DELETE)) return false;
    if (this.#isGuarded && first === APOSTROPHE) return false;
    if (this.#isOurExport) return true;
    if (end - start <= MAX_NULL_WORD && NULL_INITIALS.has(first)) return false;
    if (rules.mayHoldList && (first === OPEN_ARRAY || first === OPEN_OBJECT)) return false;
    return !rules.hasEntities || kernel.holds(AMPERSAND, start, end) === 0;
  }

  /** Writes a text of CSV with JSON's escapes, and sets the cell to it; false where it needs a long escape. */
  #setEscaped(field: number, start: number, end: number): boolean {
    const at = this.makeRoom(2 * (end - start) + 32);
    const to = this.memory.kernel.writeEscaped(start, end, at);
    if (to === 0) return false;
    this.#setCell(field, ESCAPED_TEXT, at, to, Number.NaN);
    this.#used = to + 1;
    return true;
  }

  /** Sets a cell to what its member is remembered as, or read as. */
  #coerce(row: SourceRow, member: number, rules: FieldRules, kind: number, start: number, end: number): void {
    const isText = kind === TEXT || kind === ESCAPED_TEXT || kind === BARE_TEXT;
    // Required fields are read each time, since a refusal quotes the cell; so are dates that count from another member.
    const isRemembered = isText && end - start <= MAX_MEMO_BYTES && !rules.isRequired;
    if (!isRemembered || (rules.isDate && this.#scrapedAtMs !== undefined)) {
      this.#take(rules, this.#valueOf(row, member));
      return;
    }
    const text = this.memory.bytes.toString('latin1', start, end);
    const remembered = rules.memo.get(text);
    if (remembered === undefined) this.#remember(row, member, rules, text);
    else this.#setRemembered(rules, remembered);
  }

  /** Sets a cell to what its member is read as, and remembers it. */
  #remember(row: SourceRow, member: number, rules: FieldRules, text: string): void {
    const { row: field, memo, repaired, leftNull } = rules;
    const noteCount = this.#noteCount;
    const contradictions = this.contradictions;
    this.#take(rules, this.#valueOf(row, member));
    const note = this.#noteCount > noteCount ? this.#notes[noteCount] : undefined;
    const isLeftNull = note?.read === null;
    // A member that becomes an example is read each time.
    if (note !== undefined && this.#options.tally.wantsExample(field, isLeftNull)) return;
    const { kinds, starts, ends, numbers, size, bytes } = this.memory;
    const cell = cellOf(field, size);
    const [start, end] = [starts[cell]!, ends[cell]!];
    if (end - start > MAX_MEMO_BYTES) return;
    if (memo.size === MAX_MEMO_TEXTS) memo.clear();
    memo.set(text, {
      kind: kinds[cell]!,
      number: numbers[cell]!,
      bytes: new Uint8Array(bytes.subarray(start, end)),
      note: note && (isLeftNull ? leftNull : repaired),
      contradicts: this.contradictions > contradictions,
      batch: this.#batch,
      start,
    });
  }

  #setRemembered({ row }: FieldRules, cell: RememberedCell): void {
    const { length } = cell.bytes;
    if (cell.batch !== this.#batch) {
      const start = this.makeRoom(length + 1);
      this.memory.bytes.set(cell.bytes, start);
      this.#used = start + length + 1;
      cell.batch = this.#batch;
      cell.start = start;
    }
    this.#setCell(row, cell.kind, cell.start, cell.start + length, cell.number);
    if (cell.note !== undefined) this.#note(cell.note);
    if (cell.contradicts) this.contradictions++;
  }

  #valueOf(row: SourceRow, member: number): unknown {
    const value = row.value(member);
    return this.#isGuarded && typeof value === 'string' ? unguardFormula(value) : value;
  }

  /** Sets a cell to what is read from a value of the source. */
  #take(rules: FieldRules, raw: unknown): void {
    if (rules.isJson) {
      if (raw === undefined || raw === null) return;
      this.#setCell(
        rules.row,
        RAW,
        ...this.#write(typeof raw === 'bigint' ? String(raw) : JSON.stringify(raw)),
        Number.NaN,
      );
      return;
    }
    const context = this.#contexts[rules.row]!;
    const cellContext = this.#scrapedAtMs === undefined ? context : { ...context, scrapedAtMs: this.#scrapedAtMs };
    const { how, value }: Reading = readCell(rules.field, raw, cellContext);
    const wellFormedValue = wellFormed(value);
    if (how === 'repaired' || how === 'unreadable' || wellFormedValue !== value)
      this.#note({ field: rules.row, raw, read: wellFormedValue });
    if (rules.isRequired && isBlankValue(wellFormedValue)) this.#refuse(rules, raw);
    if (rules.isDate && typeof raw === 'string' && isOther(provenOrder(raw), context.dateOrder)) this.contradictions++;
    this.#spell(rules, wellFormedValue);
  }

  #note(note: CellNote): void {
    this.#notes[this.#noteCount++] = note;
  }

  /** Among several faults that of the first field is reported. */
  #refuse(rules: FieldRules, raw: unknown): void {
    if (this.#refused !== undefined && this.#refused.row <= rules.row) return;
    this.#refused = rules;
    this.#refusedRaw = raw;
  }

  /** Takes the record into the batch, unless it lacks what it needs. */
  #end(): void {
    const { tally, firstId } = this.#options;
    const number = tally.begin();
    const line = this.memory.lines[this.memory.size]!;
    if (firstId !== undefined) this.#spell(this.#rules[ID_FIELD]!, firstId + number - 1);
    this.#titleFromContent();
    const reason = this.#missing();
    if (reason !== undefined) {
      tally.refuse(line, reason);
      this.#used = this.#usedBefore;
      // Remembered cells of this batch may have stood in the bytes that are given up.
      this.#batch++;
      return;
    }
    for (let i = 0; i < this.#noteCount; i++) tally.note(line, this.#notes[i]!);
    this.memory.size++;
  }

  /** A record without a title takes the first words of its content. */
  #titleFromContent(): void {
    if (this.#title === undefined || this.#contentField === -1) return;
    const isBlankTitle = this.#refused === this.#title;
    if (!isBlankTitle && this.memory.kinds[cellOf(this.#title.row, this.memory.size)]! > NULL) return;
    const title = firstWords(textOf(this.memory, cellOf(this.#contentField, this.memory.size)) ?? '');
    if (title === '') return;
    this.#note({ field: this.#title.row, raw: isBlankTitle ? this.#refusedRaw : null, read: title });
    if (isBlankTitle) this.#refused = undefined;
    this.#spell(this.#title, title);
  }

  #missing(): string | undefined {
    for (const rules of this.#required) {
      if (rules === this.#refused) return requiredReason(rules.field, this.#refusedRaw);
      if (this.memory.kinds[cellOf(rules.row, this.memory.size)]! <= NULL)
        return requiredReason(rules.field, undefined);
    }
    return undefined;
  }

  /** Writes a value's canonical spelling, and sets the cell to it. */
  #spell({ row, isDate }: FieldRules, value: Value): void {
    if (value === null) {
      this.#setCell(row, ABSENT, this.#used, this.#used, Number.NaN);
      return;
    }
    const json = JSON.stringify(typeof value === 'number' ? value + 0 : value);
    const [start, end] = this.#write(json);
    if (typeof value === 'number') this.#setCell(row, NUMBER, start, end, value + 0);
    else if (typeof value === 'boolean') this.#setCell(row, BOOLEAN, start, end, Number(value));
    else if (typeof value !== 'string') this.#setCell(row, LIST, start, end, Number.NaN);
    else {
      const kind = json.length === value.length + 2 ? TEXT : ESCAPED_TEXT;
      this.#setCell(row, kind, start + 1, end - 1, isDate ? Date.parse(value) : Number.NaN);
    }
  }

  #setCell(field: number, kind: number, start: number, end: number, number: number): void {
    const { size, kinds, starts, ends, numbers } = this.memory;
    const cell = field * BATCH_RECORDS + size;
    kinds[cell] = kind;
    starts[cell] = start;
    ends[cell] = end;
    numbers[cell] = number;
  }
}

const APOSTROPHE = 0x27;

function rulesOf(field: Field, row: number, form: TextForm, context: CellContext): FieldRules {
  const { kind, required } = field;
  return {
    row,
    field,
    isRequired: required === true,
    isInteger: kind === 'integer',
    isNumeric: isNumeric(kind),
    isTextual: isTextual(kind),
    isList: isList(kind),
    isDate: kind === 'date',
    isJson: kind === 'json',
    isReadWhole: isReadWhole(form),
    hasEntities: form === 'entities',
    mayHoldList: mayHoldList(field, context),
    memo: new Map(),
    repaired: { field: row, raw: '', read: '' },
    leftNull: { field: row, raw: '', read: null },
  };
}

/** Members that feed a field by themselves, and members with values inside that feed fields, each member once. */
function grouped(fed: readonly FedMember[], memory: BatchMemory): Fed {
  const members = new Set(fed.flatMap(({ member, path }) => (path.length === 0 ? [] : [member])));
  return {
    fed: fed.filter(({ path }) => path.length === 0),
    groups: [...members].map((member): Group => {
      const inside = fed.filter((each) => each.member === member && each.path.length > 0);
      const areNamed = inside.every(({ path: [step] }) => typeof step === 'string');
      const areElements = inside.every(({ path: [step] }) => typeof step === 'number' && step >= 0);
      return {
        member,
        fed: inside,
        tree: new NameTree(memory),
        bindings: new WeakMap(),
        areNamed,
        elements: areElements ? grouped(inside.map(steppedInto), memory) : undefined,
      };
    }),
  };
}

/** Whether a text or number in place of an object is the value itself. */
const hasOneStep = ({ path }: FedPath): boolean => path.length === 1;

/** The element of a list that feeds a field: the first step of the path is its number. */
const steppedInto = ({ rules, path: [step, ...path] }: FedPath): FedMember => ({ member: Number(step), rules, path });

/** The members that feed fields in an object with these names. */
const bindingInside = (names: readonly string[], fed: readonly FedPath[], memory: BatchMemory): Fed =>
  grouped(
    fed.flatMap(({ rules, path: [step, ...path] }): FedMember[] => {
      const member = names.indexOf(String(step));
      return member === -1 ? [] : [{ member, rules, path }];
    }),
    memory,
  );

const isBlankValue = (value: Value): boolean => value === null || (typeof value === 'string' && value.trim() === '');

const isOther = (proven: DateOrder | undefined, order: DateOrder | undefined): boolean =>
  proven !== undefined && proven !== order;

function wellFormed(value: Value): Value {
  if (typeof value === 'string') return wellFormedText(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return value.some((text) => text !== wellFormedText(text)) ? value.map(wellFormedText) : value;
}

/** Copies JSON without the white space between its tokens; returns where the copy ends. */
function copyWithoutSpace(bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
  let to = at;
  let inString = false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (!inString && byte <= SPACE) continue;
    target[to++] = byte;
    if (byte === QUOTE) inString = !inString;
    else if (byte === BACKSLASH) target[to++] = bytes[++i]!;
  }
  return to;
}

/** The arguments of a format's reader, which gives its records to the binder. */
export interface FileReading {
  readonly source: SnapshotFile;
  /** Takes the records. */
  readonly binder: Binder;
  readonly decoder: Decoder;
  /** Called after each batch: true ends the reading of the file. */
  readonly isStopped: () => boolean;
  /** A file that is cut off is read up to the cut. */
  readonly isPartial?: boolean;
  readonly onRead?: (doneBytes: number) => void;
}
