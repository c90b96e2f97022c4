/**
 * Walks from record to record through a JSON file: over the bytes of the batch, in chunks of any size, into envelopes, pages and
 * objects keyed by id. Values beside the records are skipped, each proved by the kernel.
 *
 *     {"total":2,"items":[{…},{…}]}     steps: to "items", each
 *     {"101":{…},"102":{…}}             steps: members
 */

import { stringAt } from '../../batch.js';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LETTER_N,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from '../../kernels/ascii.js';
import { parsedJson } from '../../text.js';
import type { BatchMemory } from '../source/batch-memory.js';
import { isPlainObject } from '../values/paths.js';
import { heldName } from './holders.js';
import type { JsonContext } from './json-fault.js';
import {
  type HolderLevel,
  isAddress,
  isId,
  keyValue,
  type LeftOutPlace,
  type PlaceOptions,
  type PlaceStep,
  placeText,
} from './json-place.js';
import { isCompanion } from './list-names.js';
import { placesIn } from './places-beside.js';
import { NameTree, SourceRow } from './source-row.js';

// Negative results of `next`, in place of a record's position.
/** The next bytes are no JSON, or a value where none may stand. */
export const NO_PLACE = -1;
/** No record begins before the end. The bytes from `at` on must be fed again, with more behind them. */
const NEEDS_MORE = -2;

/** The container does not lead to records: in place of its depth. */
const OFF = -1;

interface Container {
  readonly closing: number;
  /** The number of the options' steps that lead to the container, or OFF. */
  readonly depth: number;
  /** Undefined where its values become no fields of the records in it. */
  readonly level: HolderLevel | undefined;
  /** The values that its records get. */
  readonly held: HeldMember[];
  /** Whether all of its members were looked through before its records are read. */
  readonly isLookedThrough: boolean;
  /** Whether a value in it was entered, since it leads to records, or is one. */
  isEntered: boolean;
  /** Whether a value in it was left out. */
  hasLeftOut: boolean;
}

/** A value of what holds a record. */
export interface HeldMember {
  readonly name: string;
  /** The value as the file spells it. */
  readonly json: Buffer;
}

/** An object that holds records is looked through as far as this: values behind its records become their fields too. */
const MAX_HOLDER_BYTES = 16 << 20;
/** A longer value of a holder is not copied into each of its records. */
const MAX_HELD_BYTES = 1 << 16;
const MAX_LEFT_OUT_PLACES = 20;

const nameOfGroup = (number: number): string => (number === 1 ? 'group' : `group${number}`);

export class JsonWalk {
  /** The line of the next byte. */
  line = 1;
  /** The position at which the walk goes on. */
  at = 0;
  readonly #options: PlaceOptions;
  readonly #memory: BatchMemory;
  readonly #open: Container[] = [];
  /** The next token stands behind a value. */
  #isBehind = false;
  /** The next token stands behind a member's name and its colon. */
  #isNamed = false;
  /** The next token stands right behind an opening bracket. */
  #isFirst = false;
  /** The last member's name; empty in containers that do not lead to records. */
  #name = '';
  /** The name of the last member that holds a group of records. */
  #group: string | undefined;
  #roots = 0;
  /** The next row is the header. */
  #isHeaderDue: boolean;
  #held: readonly HeldMember[] | undefined;
  readonly #holder: SourceRow;
  readonly #holderNames: NameTree;
  /** By their paths the places beside the records that are not read. */
  readonly leftOut = new Map<string, LeftOutPlace>();

  constructor(options: PlaceOptions, memory: BatchMemory) {
    this.#options = options;
    this.#memory = memory;
    this.#holder = new SourceRow(memory);
    this.#holderNames = new NameTree(memory);
    this.#isHeaderDue = options.hasHeader === true && options.steps.length === 0;
  }

  /** No value is open or missing. */
  get isComplete(): boolean {
    return this.#open.length === 0 && (this.#options.shape === 'sequence' || this.#roots > 0);
  }

  /** The key of the record that begins, or of the group in which it stands; undefined where it has none. */
  get key(): string | number | undefined {
    const { steps } = this.#options;
    if (steps[this.#open.at(-1)?.depth ?? 0] === 'members') return keyValue(this.#name);
    return this.#group === undefined ? undefined : keyValue(this.#group);
  }

  /** The values that the record gets from what holds it, the outer ones first. The same array for records of the same holders. */
  get held(): readonly HeldMember[] {
    this.#held ??= this.#open.flatMap(({ held }) => held);
    return this.#held;
  }

  /** The containers around `at`, and the tokens that may follow there. */
  get context(): JsonContext {
    const closings = this.#open.map(({ closing }) => closing);
    const isBetweenValues = this.#isBehind && (closings.length > 0 || this.#options.shape === 'document');
    if (isBetweenValues) return { closings, next: 'behind' };
    if (this.#isFirst && !this.#isNamed) return { closings, next: 'first' };
    return { closings, next: closings.at(-1) === CLOSE_OBJECT && !this.#isNamed ? 'name' : 'value' };
  }

  /** Goes on to the next record; returns where it begins, or `NO_PLACE` or `NEEDS_MORE`. `isLast`: no byte follows. */
  next(from: number, end: number, isLast: boolean): number {
    for (let at = from; ; ) {
      at = this.#behindSpace(at, end);
      this.at = at;
      if (at === end) return NEEDS_MORE;
      const byte = this.#memory.bytes[at]!;
      const container = this.#open.at(-1);
      if (byte === container?.closing && !this.#isNamed && (this.#isBehind || this.#isFirst)) {
        this.#open.pop();
        if (!container.isEntered && !container.hasLeftOut) this.#tellWithoutList(container);
        this.#held = undefined;
        this.#isBehind = true;
        at++;
      } else if (this.#isBehind) {
        if (container === undefined ? this.#options.shape === 'document' : byte !== COMMA) return NO_PLACE;
        this.#isBehind = false;
        this.#isFirst = false;
        if (container !== undefined) at++;
      } else if (container?.closing === CLOSE_OBJECT && !this.#isNamed) {
        at = this.#passName(at, end);
        if (at < 0) return at;
      } else {
        if (this.#isRecord(byte)) {
          if (container !== undefined) container.isEntered = true;
          return at;
        }
        at = this.#passOther(at, end, isLast);
        if (at < 0) return at;
      }
    }
  }

  /** Passes the record to which `next` has gone. */
  pass(lines: number): void {
    if (this.#open.length === 0) this.#roots++;
    this.line += lines;
    this.#isNamed = false;
    this.#isBehind = true;
  }

  /** The end of the white space that may begin at `from`. */
  #behindSpace(from: number, end: number): number {
    const { bytes } = this.#memory;
    let at = from;
    for (; at < end && bytes[at]! <= SPACE; at++) if (bytes[at] === LINE_FEED) this.line++;
    return at;
  }

  /** Passes a member's name; returns where its colon ends. */
  #passName(from: number, end: number): number {
    const { bytes, kernel } = this.#memory;
    if (bytes[from] !== QUOTE) return NO_PLACE;
    const to = kernel.any(from, end);
    if (to === 0) return this.#memory.stoppedAt >= end ? NEEDS_MORE : NO_PLACE;
    let at = to;
    while (at < end && bytes[at]! <= SPACE) at++;
    if (at === end) return NEEDS_MORE;
    if (bytes[at] !== COLON) return NO_PLACE;
    this.#behindSpace(to, at);
    this.#name = this.#open.at(-1)?.depth === OFF ? '' : stringAt(bytes, from, to);
    this.#isNamed = true;
    return at + 1;
  }

  /** The number of steps that lead to the next value, or OFF. */
  #depthOfValue(): number {
    const container = this.#open.at(-1);
    if (container === undefined) return 0;
    const step = this.#options.steps[container.depth];
    if (container.depth === OFF || step === undefined) return OFF;
    return typeof step === 'string' || step.name === this.#name ? container.depth + 1 : OFF;
  }

  #isRecord(byte: number): boolean {
    const { steps, header } = this.#options;
    if (this.#depthOfValue() !== steps.length) return false;
    if (byte === OPEN_OBJECT) return true;
    if (byte === OPEN_ARRAY && header !== undefined) return !this.#isHeaderDue;
    // Any value among roots or elements stands for a record, to be refused. Scalars beside records by their keys tell of the whole.
    if (steps.at(-1) === 'members') return byte === LETTER_N || isId(this.#name) || isAddress(this.#name);
    return steps.length === 0 || steps.at(-1) === 'each';
  }

  /** Enters a container on the way to the records, and skips any other value; returns where to go on. */
  #passOther(at: number, end: number, isLast: boolean): number {
    const { bytes, kernel } = this.#memory;
    const { steps, hasHeader } = this.#options;
    const depth = this.#depthOfValue();
    const isArray = bytes[at] === OPEN_ARRAY;
    const isContainer = isArray || bytes[at] === OPEN_OBJECT;
    if (isContainer && !isLast && this.#firstInside(at, end) === end) return NEEDS_MORE;
    const isOnWay = isContainer && steps[depth] !== undefined && isArray === (steps[depth] === 'each');
    if (isOnWay && depth === steps.length - 1) this.#isHeaderDue = hasHeader === true;
    if (isOnWay) return this.#enter(isArray, depth, at, end, isLast);
    const isHeader = isArray && depth === steps.length && this.#isHeaderDue;
    if (isHeader) this.#isHeaderDue = false;
    this.#memory.lineBreaks = 0;
    const to = kernel.any(at, end);
    const isUnfinished = to === 0 && this.#memory.stoppedAt >= end;
    // A container that does not end in the bytes is entered: so only the longest value inside of it is held in memory.
    if (isUnfinished && isContainer) {
      this.#tellLeftOut(depth, at, end, false);
      return this.#enter(isArray, OFF, at, end, isLast);
    }
    if (to === 0) return isUnfinished ? NEEDS_MORE : NO_PLACE;
    // More digits may follow.
    if (to === end && !isContainer && bytes[at] !== QUOTE) return NEEDS_MORE;
    if (isContainer && !isHeader) this.#tellLeftOut(depth, at, to, true);
    const container = this.#open.at(-1);
    if (container?.isLookedThrough === false) this.#holdLate(container, at, to);
    this.pass(this.#memory.lineBreaks);
    return to;
  }

  /** Enters a container; returns where its contents begin. An object that holds records is looked through for its values first. */
  #enter(isArray: boolean, depth: number, at: number, end: number, isLast: boolean): number {
    const within = this.#open.at(-1);
    const level = isArray || depth === OFF ? undefined : this.#options.holders?.get(depth);
    const heldMembers = level && this.#lookThrough(level, depth, at, end);
    const mayEndSoon = this.#memory.stoppedAt >= end && end - at < MAX_HOLDER_BYTES;
    if (level !== undefined && heldMembers === undefined && mayEndSoon && !isLast) return NEEDS_MORE;
    if (within === undefined) this.#roots++;
    else if (depth !== OFF && this.#options.steps[within.depth] === 'members') this.#group = this.#name;
    if (within !== undefined && depth !== OFF) within.isEntered = true;
    const isLookedThrough = heldMembers !== undefined;
    const closing = isArray ? CLOSE_ARRAY : CLOSE_OBJECT;
    const values = [...this.#outerGroup(within, depth), ...(heldMembers ?? [])];
    this.#open.push({
      closing,
      depth,
      level,
      held: values,
      isLookedThrough,
      isEntered: false,
      hasLeftOut: false,
    });
    this.#held = undefined;
    this.#isFirst = true;
    this.#isNamed = false;
    this.#isBehind = false;
    return at + 1;
  }

  /**
   * The name of a group with further groups or keys inside. The nearest group of a record is its key, where it has no other: see `key`.
   *
   *     {"AT": {"Wien": {"Spar": [{"name": "Milk"}]}}}     {"group": "Spar", "group3": "AT", "group2": "Wien", "name": "Milk"}
   */
  #outerGroup(within: Container | undefined, depth: number): readonly HeldMember[] {
    const { steps } = this.#options;
    const nearest = steps.lastIndexOf('members');
    if (within === undefined || depth === OFF || steps[within.depth] !== 'members' || within.depth === nearest)
      return [];
    const between = steps.slice(within.depth, nearest).filter((step) => step === 'members').length;
    const number = nearest === steps.length - 1 ? between : between + 1;
    return [{ name: nameOfGroup(number), json: Buffer.from(JSON.stringify(keyValue(this.#name))) }];
  }

  /**
   * The values that an object gives to the records in it, by the names that they get: `{"id":7,"city":"Graz","products":[…]}` gives
   * `shop_id` and `city`, where the noun of `level` is `shop`. Undefined where it does not end in the bytes.
   */
  #lookThrough(level: HolderLevel, depth: number, at: number, end: number): HeldMember[] | undefined {
    const row = this.#holder;
    if (this.#memory.kernel.members(at, end, row.first) === 0) return undefined;
    this.#holderNames.name(row);
    return row.names.flatMap(
      (name, member) => this.#heldMember(name, { level, depth }, ...row.outerSpan(member)) ?? [],
    );
  }

  /** A value of an object as a member of the records in it; undefined where they do not get it. */
  #heldMember(
    name: string,
    { level, depth }: { readonly level: HolderLevel; readonly depth: number },
    from: number,
    to: number,
  ): HeldMember | undefined {
    const { bytes } = this.#memory;
    const step = this.#options.steps[depth];
    const nameOfHeld = typeof step === 'object' && step.name === name ? undefined : heldName(name, level);
    const isNull = bytes[from] === LETTER_N;
    const { columnsPlace } = this.#options;
    const areColumns = columnsPlace !== undefined && this.#placeOf(depth, { name }, 'each') === columnsPlace;
    // In an archive of HTTP the creator is the program that wrote it: {"log": {"creator": {"name": "WebInspector"}, "pages": […], "entries": […]}}.
    const isCreator = name === 'creator' && level.isLone && bytes[from] === OPEN_OBJECT;
    const isProgram = isCreator && typeof step === 'object' && ['entries', 'pages'].includes(step.name);
    if (
      nameOfHeld === undefined ||
      isNull ||
      areColumns ||
      isProgram ||
      (bytes[from] === OPEN_ARRAY && this.#holdsContainers(from, to))
    )
      return undefined;
    if (to - from <= MAX_HELD_BYTES) return { name: nameOfHeld, json: Buffer.from(bytes.subarray(from, to)) };
    this.#leaveOut(this.#placeOf(depth, { name }), 'late value');
    return undefined;
  }

  /** Holds a value of an object that is too long to be looked through. Records before the value are read already. */
  #holdLate(container: Container, at: number, to: number): void {
    const { level, depth, held } = container;
    const member = level && this.#heldMember(this.#name, { level, depth }, at, to);
    if (member === undefined) return;
    if (container.isEntered) this.#leaveOut(this.#placeOf(depth, { name: this.#name }), 'late value');
    else held.push(member);
    this.#held = undefined;
  }

  /** Tells of a container that is passed: lists beside the way to the records, or another value where the way goes on. `isWhole`: it ends at `end`. */
  #tellLeftOut(depth: number, at: number, end: number, isWhole: boolean): void {
    const { knownLists } = this.#options;
    const within = this.#open.at(-1);
    if (knownLists === undefined || within === undefined || within.depth === OFF) return;
    const { bytes } = this.#memory;
    const first = bytes[this.#firstInside(at, end)];
    const isArray = bytes[at] === OPEN_ARRAY;
    const step: PlaceStep = within.closing === CLOSE_ARRAY ? 'each' : { name: this.#name };
    if (depth !== OFF) {
      const isEmpty = first === (isArray ? CLOSE_ARRAY : CLOSE_OBJECT);
      if (!isEmpty && !isCompanion(this.#name)) this.#leaveOut(this.#placeOf(within.depth, step), 'depth');
    } else if (isArray && (first === OPEN_OBJECT || first === OPEN_ARRAY)) {
      const place = this.#placeOf(within.depth, step, 'each');
      if (!knownLists.has(place)) this.#leaveOut(place, first === OPEN_ARRAY ? 'rows' : 'list');
    } else if (isWhole && !isArray && end - at <= MAX_HELD_BYTES && !isCompanion(this.#name)) {
      const object = parsedJson(bytes.toString('utf8', at, end));
      const way = [...this.#options.steps.slice(0, within.depth), step];
      for (const place of isPlainObject(object) ? placesIn(object, way, this.#options) : [])
        if (!knownLists.has(place)) this.#leaveOut(place, 'list');
    }
  }

  /** Tells of an object that has no list of records, as a page that failed. */
  #tellWithoutList({ level, depth }: Container): void {
    if (level !== undefined && !level.isLone && depth > 0) this.#leaveOut(this.#placeOf(depth), 'no list');
  }

  #leaveOut(place: string, why: LeftOutPlace['why']): void {
    const within = this.#open.at(-1);
    if (within !== undefined) within.hasLeftOut = true;
    const earlier = this.leftOut.get(place);
    if (earlier !== undefined) this.leftOut.set(place, { ...earlier, places: earlier.places + 1 });
    else if (this.leftOut.size < MAX_LEFT_OUT_PLACES) this.leftOut.set(place, { why, places: 1, line: this.line });
  }

  #placeOf(depth: number, ...further: readonly PlaceStep[]): string {
    return placeText([...this.#options.steps.slice(0, depth), ...further]);
  }

  /** Whether the first element of a list is a list or an object, or it has none. */
  #holdsContainers(from: number, to: number): boolean {
    const first = this.#memory.bytes[this.#firstInside(from, to)];
    return first === OPEN_OBJECT || first === OPEN_ARRAY || first === CLOSE_ARRAY;
  }

  /** The first byte inside of a container that is no white space. */
  #firstInside(at: number, end: number): number {
    const { bytes } = this.#memory;
    let inside = at + 1;
    while (inside < end && bytes[inside]! <= SPACE) inside++;
    return inside;
  }
}
