/**
 * Cells → record batches. A reader gives the cells of one record after the other: as a place in the batch's bytes where a
 * cell is canonical as it stands, as a value everywhere else. A value is read for its field (`values.ts`) and its
 * canonical spelling written behind the reader's own bytes, so that whoever takes the batch meets nothing but canonical
 * cells. A record that lacks what it needs is refused and leaves nothing behind. What was found goes into the tally.
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
import { type CollectionModel, fieldIndex, roleIndex, type Value } from '../model.js';
import { BatchMemory, type BatchRooms } from './batch-memory.js';
import { ExtraObject } from './extra-object.js';
import { MAX_TEXT_BYTES, Spellings } from './spellings.js';
import type { Note, Tally } from './tally.js';
import type { TextForm } from './text-forms.js';
import { firstWords, wellFormedText } from './texts.js';
import { type CellContext, type Markup, type Reading, readCell, requiredReason, timeOf } from './values.js';

/** Room for spellings behind the reader's bytes; a batch is handed on when half of it is taken. */
const SPELLING_BYTES = 1 << 18;
// What is remembered of a short text besides its reading.
const NOTHING_FOUND = 0;
const REPAIRED = 1;
const LEFT_NULL = 2;

export interface FillerOptions {
  readonly model: CollectionModel;
  readonly tally: Tally;
  readonly rooms: BatchRooms;
  /** Record n gets the id `firstId + n - 1`; undefined where records have ids of their own. */
  readonly firstId: number | undefined;
  /** Per field the form of its texts, and what reads those that are not plain. */
  readonly forms?: readonly TextForm[];
  readonly markup?: Markup | undefined;
  /** Whether batches have a column behind the fields for what records have besides them. */
  readonly keepsExtra?: boolean;
  /** Takes a full batch. */
  readonly take: (batch: BatchMemory) => void;
}

export class BatchFiller {
  /** The batch that is filled; another where it had to grow. */
  batch: BatchMemory;
  readonly model: CollectionModel;
  /** Per field the form of its texts. */
  readonly forms: readonly TextForm[];
  /** How many columns there are: fields, and one for what records have besides them. */
  readonly columns: number;
  /** A bit for each field that no record may lack. */
  readonly requiredBits: number;
  /** What the record has besides its fields, where that is kept. */
  readonly extra: ExtraObject | undefined;
  /** Per field: how values are read that are not canonical. */
  #contexts: readonly CellContext[] = [];
  #fileScrapedAtMs: number | undefined;
  readonly #options: FillerOptions;
  readonly #required: readonly number[];
  readonly #titleField: number;
  readonly #contentField: number;
  readonly #remembered: readonly Spellings[];
  /** Per field: what is only counted, a repair and a cell that is left null. */
  readonly #repaired: readonly Note[];
  readonly #leftNull: readonly Note[];
  /** The reader's bytes end here; spellings follow up to `#used`. */
  #windowBytes = 0;
  #used = 0;
  // Of the record that is being filled:
  #usedBefore = 0;
  /** As many as are counted are the record's. */
  readonly #notes: Note[] = [];
  #noteCount = 0;
  #refused = -1;
  #refusedRaw: unknown;

  constructor(options: FillerOptions) {
    const { fields } = options.model;
    this.#options = options;
    this.model = options.model;
    this.forms = options.forms ?? fields.map(() => 'plain');
    this.extra = options.keepsExtra === true ? new ExtraObject() : undefined;
    this.columns = fields.length + (this.extra ? 1 : 0);
    this.batch = new BatchMemory(options.rooms, SPELLING_BYTES, this.columns);
    this.#required = fields.flatMap(({ required }, field) => (required ? [field] : []));
    this.requiredBits = this.#required.reduce((bits, field) => bits | (1 << field), 0);
    this.#remembered = fields.map(() => new Spellings());
    this.#repaired = fields.map((_, field) => ({ field, raw: '', read: '' }));
    this.#leftNull = fields.map((_, field) => ({ field, raw: '', read: null }));
    this.#titleField = fieldIndex(options.model, 'title');
    this.#contentField = roleIndex(options.model, 'body');
    this.context = { isCsv: false, dateOrder: undefined };
  }

  get context(): CellContext {
    return this.#contexts[0] ?? { isCsv: false, dateOrder: undefined };
  }

  set context(context: CellContext) {
    const { markup } = this.#options;
    this.#fileScrapedAtMs = context.scrapedAtMs;
    this.#contexts = this.forms.map((form) => ({ ...context, form, ...(markup && { markup }) }));
  }

  /** Has relative dates of the record that was begun count from its own time of scraping. */
  setScrapedAt(raw: unknown): void {
    const scrapedAtMs = timeOf(raw, this.context.dateOrder) ?? this.#fileScrapedAtMs;
    this.#contexts = this.#contexts.map((context) => ({ ...context, scrapedAtMs }));
  }

  /** Whether the loader sets every record's id, the first field, itself. */
  get givesIds(): boolean {
    return this.#options.firstId !== undefined;
  }

  get isFull(): boolean {
    return this.batch.size === BATCH_RECORDS || this.#used - this.#windowBytes > SPELLING_BYTES / 2;
  }

  /** Makes the first bytes the reader's, who may write to them as long as the batch is empty; what stands there stays. */
  openWindow(bytes: number): void {
    if (bytes + SPELLING_BYTES > this.batch.bytes.length) this.#grow(bytes + SPELLING_BYTES);
    this.#windowBytes = bytes;
    this.#used = bytes;
  }

  /** Hands on what is in the batch, and empties it. */
  flush(): void {
    if (this.batch.size > 0) this.#options.take(this.batch);
    this.batch.size = 0;
    this.#used = this.#windowBytes;
  }

  /** Begins the next record, for which there is room. */
  begin(line: number): void {
    const { size, kinds, numbers, lines, textStarts, textEnds } = this.batch;
    for (let cell = size; cell < kinds.length; cell += BATCH_RECORDS) {
      kinds[cell] = ABSENT;
      numbers[cell] = Number.NaN;
    }
    lines[size] = line;
    textStarts[size] = 0;
    textEnds[size] = 0;
    this.resume();
  }

  /** Takes records that the kernel has filled. */
  accept(count: number): void {
    this.#options.tally.begin(count);
    this.batch.size += count;
  }

  /** Goes on with a record that the kernel has filled, but for what it has left. */
  resume(): void {
    this.#usedBefore = this.#used;
    this.#noteCount = 0;
    this.extra?.clear();
    this.#refused = -1;
  }

  /** Sets a cell whose bytes are canonical as they stand. */
  place(field: number, kind: number, start: number, end: number, number: number): void {
    const { size, kinds, starts, ends, numbers } = this.batch;
    const cell = cellOf(field, size);
    kinds[cell] = kind;
    starts[cell] = start;
    ends[cell] = end;
    numbers[cell] = number;
  }

  /** Sets a number that stands in the bytes in its canonical spelling, inside of quotes. */
  placeQuotedNumber(field: number, start: number, end: number, number: number): void {
    this.place(field, NUMBER, start + 1, end - 1, number);
    const { tally } = this.#options;
    if (!tally.wantsExample(field)) this.#note(this.#repaired[field]!);
    else this.#note({ field, raw: this.batch.bytes.toString('latin1', start + 1, end - 1), read: number });
  }

  /** Sets a text without escapes, which stands in the bytes as the one element of a list. */
  placeOnlyText(field: number, start: number, end: number): void {
    this.place(field, TEXT, start, end, Number.NaN);
    if (!this.#options.tally.wantsExample(field)) this.#note(this.#repaired[field]!);
    else {
      const text = this.batch.bytes.toString('utf8', start + 1, end - 1);
      this.#note({ field, raw: [text], read: text });
    }
  }

  /** Keeps a spelling that a reader wrote into room that it had made, up to `end`: its cells may be placed. */
  keep(end: number): void {
    this.#used = end;
  }

  /**
   * Sets a cell to what is read from a short text that stands in the bytes between quotes, without escapes. False where
   * the order of day and month must be known first.
   */
  setShortText(field: number, start: number, end: number): boolean {
    const [from, to] = [start + 1, end - 1];
    const spellings = this.#remembered[field]!;
    const found = spellings.find(this.batch.bytes, from, to);
    if (found === -1) return this.#setNewText(field, from, to);
    const at = this.makeRoom(MAX_TEXT_BYTES);
    this.#used = spellings.write(found, this.batch.bytes, at);
    this.place(field, spellings.kindAt(found), at, this.#used, spellings.numberAt(found));
    const finding = spellings.findingAt(found);
    if (finding !== NOTHING_FOUND) this.#note((finding === REPAIRED ? this.#repaired : this.#leftNull)[field]!);
    return true;
  }

  #setNewText(field: number, from: number, to: number): boolean {
    const noteCount = this.#noteCount;
    if (!this.set(field, this.batch.bytes.toString('utf8', from, to))) return false;
    const note = this.#noteCount > noteCount ? this.#notes[noteCount] : undefined;
    // What may be refused, or become an example, is looked at each time.
    const isLeftNull = note?.read === null;
    if (this.#required.includes(field) || (note && this.#options.tally.wantsExample(field, isLeftNull))) return true;
    const finding = note === undefined ? NOTHING_FOUND : isLeftNull ? LEFT_NULL : REPAIRED;
    this.#remembered[field]!.add(this.batch, from, to, cellOf(field, this.batch.size), finding);
    return true;
  }

  /** Sets a cell to what is read from a value of the source. False where the order of day and month must be known first. */
  set(field: number, raw: unknown): boolean {
    return this.#take(field, raw, readCell(this.#options.model.fields[field]!, raw, this.#contexts[field]!));
  }

  #note(note: Note): void {
    this.#notes[this.#noteCount++] = note;
  }

  #take(field: number, raw: unknown, { how, value }: Reading): boolean {
    if (how === 'order') return false;
    const whole = wellFormed(value);
    if (how === 'repaired' || how === 'unreadable' || whole !== value) this.#note({ field, raw, read: whole });
    if (this.#required.includes(field) && isBlank(whole)) this.#refuse(field, raw);
    this.#spell(field, whole);
    return true;
  }

  /** Of several faults the first field's is told. */
  #refuse(field: number, raw: unknown): void {
    if (this.#refused >= 0 && this.#refused <= field) return;
    this.#refused = field;
    this.#refusedRaw = raw;
  }

  /** Takes the record into the batch, unless it lacks what it needs; `refusal` tells what its reader found wrong with it. */
  end(refusal?: string): void {
    const { tally, firstId, model } = this.#options;
    const number = tally.begin();
    const line = this.batch.lines[this.batch.size]!;
    if (refusal === undefined && firstId !== undefined) this.#spell(0, firstId + number - 1);
    if (refusal === undefined) {
      this.#titleFromContent();
      if (this.extra && !this.extra.isEmpty) this.#placeExtra(this.extra);
    }
    const reason = refusal ?? this.#missing(model);
    if (reason !== undefined) {
      tally.refuse(line, reason);
      this.cancel();
      return;
    }
    for (let i = 0; i < this.#noteCount; i++) tally.note(line, this.#notes[i]!);
    this.batch.size++;
  }

  #placeExtra(extra: ExtraObject): void {
    const start = this.makeRoom(extra.length);
    this.#used = extra.write(this.batch.bytes, start);
    this.place(this.model.fields.length, RAW, start, this.#used, Number.NaN);
  }

  /** A record without a title takes the first words of its content. */
  #titleFromContent(): void {
    const field = this.#titleField;
    if (field === -1 || this.#contentField === -1) return;
    const isBlankTitle = this.#refused === field;
    if (!isBlankTitle && this.batch.kinds[cellOf(field, this.batch.size)]! > NULL) return;
    const title = firstWords(textOf(this.batch, cellOf(this.#contentField, this.batch.size)) ?? '');
    if (title === '') return;
    this.#note({ field, raw: isBlankTitle ? this.#refusedRaw : null, read: title });
    if (isBlankTitle) this.#refused = -1;
    this.#spell(field, title);
  }

  /** Lets the record that was begun go, to be begun again or left. */
  cancel(): void {
    this.#used = this.#usedBefore;
  }

  /** Leaves out the record that was begun, since it is of another type; true for whoever says that it is read. */
  leaveOut(type: string): true {
    this.#options.tally.leaveOut(type);
    this.cancel();
    return true;
  }

  #missing({ fields }: CollectionModel): string | undefined {
    for (const field of this.#required) {
      if (field === this.#refused) return requiredReason(fields[field]!, this.#refusedRaw);
      if (this.batch.kinds[cellOf(field, this.batch.size)]! <= NULL) return requiredReason(fields[field]!, undefined);
    }
    return undefined;
  }

  /** Writes a value's canonical spelling, and sets the cell to it. */
  #spell(field: number, value: Value): void {
    const start = this.#used;
    if (value === null) this.place(field, ABSENT, start, start, Number.NaN);
    else if (typeof value === 'number') {
      this.#write(String(value + 0));
      this.place(field, NUMBER, start, this.#used, value + 0);
    } else if (typeof value === 'string') {
      const json = JSON.stringify(value);
      this.#write(json);
      const timeMs = this.#options.model.fields[field]?.kind === 'date' ? Date.parse(value) : Number.NaN;
      this.place(field, json.length === value.length + 2 ? TEXT : ESCAPED_TEXT, start, this.#used, timeMs);
    } else if (typeof value === 'boolean') {
      this.#write(String(value));
      this.place(field, BOOLEAN, start, this.#used, Number(value));
    } else {
      this.#write(JSON.stringify(value));
      this.place(field, LIST, start, this.#used, Number.NaN);
    }
  }

  #write(text: string): void {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    const at = this.makeRoom(3 * text.length);
    this.#used += this.batch.bytes.write(text, at);
  }

  /** Makes room for so many bytes behind the last spelling; returns where they begin. */
  makeRoom(bytes: number): number {
    if (this.#used + bytes > this.batch.bytes.length) this.#grow(this.#used + bytes);
    return this.#used;
  }

  #grow(bytes: number): void {
    this.batch = this.batch.grown(Math.max(bytes, 2 * this.batch.bytes.length));
  }
}

const isBlank = (value: Value): boolean => value === null || (typeof value === 'string' && value.trim() === '');

function wellFormed(value: Value): Value {
  if (typeof value === 'string') return wellFormedText(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return value.some((text) => text !== wellFormedText(text)) ? value.map(wellFormedText) : value;
}
