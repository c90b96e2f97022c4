/**
 * Walks from record to record through a JSON file: over the bytes of the batch, in chunks of any size, into envelopes, pages and
 * objects keyed by id. Values beside the records are skipped, each proved by the kernel.
 *
 *     {"total":2,"items":[{…},{…}]}     steps: to "items", each
 *     {"101":{…},"102":{…}}             steps: members
 */

import { stringAt } from '../../batch.js';
import { LINES, STOPPED } from '../../kernels/json-layout.js';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from '../../text.js';
import type { BatchMemory } from '../source/batch-memory.js';

/** A step leads to a member by its name, to each element of an array, or to each member of an object, whose name may be an id. */
export type PlaceStep = { readonly name: string } | 'each' | 'members';

/** `data.items[]`, `[].products[]`, `books.*`: how the report names a place. */
export const placeText = (steps: readonly PlaceStep[]): string =>
  steps
    .map((step, i) => (step === 'each' ? '[]' : `${i === 0 ? '' : '.'}${step === 'members' ? '*' : step.name}`))
    .join('');

/** The steps of such a text, or null where it is none. */
export function stepsAt(text: string): readonly PlaceStep[] | null {
  const parts = text.match(/\[\]|[^.[\]]+/g) ?? [];
  const isWhole = /^(?:\[\]|\*|[^.*[\]]+)(?:\[\]|\.\*|\.[^.*[\]]+)*$/.test(text);
  if (!isWhole) return null;
  return parts.map((part) => (part === '[]' ? 'each' : part === '*' ? 'members' : { name: part }));
}

export interface PlaceOptions {
  /** `document`: one value; `sequence`: values one after the other, as in NDJSON. */
  readonly shape: 'document' | 'sequence';
  /** The steps from a root value to a record. */
  readonly steps: readonly PlaceStep[];
  /** The names of a row's cells, where records are rows. `hasHeader`: the first row of each table holds these names. */
  readonly header?: readonly string[];
  readonly hasHeader?: boolean;
  /** The member that gets a record's key in its object: `id` where some keys are integers, else `key`; that of its group is `group`. */
  readonly keyName?: string;
}

export const isId = (key: string): boolean => /^-?\d{1,15}$/.test(key);

/** A record's key as a value: an integer where it may be an id. */
export const keyValue = (key: string): string | number => (isId(key) ? Number(key) : key);

// Negative results of `next`, in place of a record's position.
/** The next bytes are no JSON, or a value where none may stand. */
export const NO_PLACE = -1;
/** No record begins before the end. The bytes from `at` on must be fed again, with more behind them. */
export const NEEDS_MORE = -2;

/** The container does not lead to records: in place of its number of steps. */
const OFF = -1;

interface Container {
  readonly closing: number;
  /** The number of steps that lead to the container, or OFF. */
  readonly steps: number;
}

/** Stands for a value that was read. A number would go on in what follows: `0.1` and `.2` would be `0.2`. */
const READ_VALUE = '{}';

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

  constructor(options: PlaceOptions, memory: BatchMemory) {
    this.#options = options;
    this.#memory = memory;
    this.#isHeaderDue = options.hasHeader === true && options.steps.length === 0;
  }

  /** No value is open or missing. */
  get isComplete(): boolean {
    return this.#open.length === 0 && (this.#options.shape === 'sequence' || this.#roots > 0);
  }

  /** The key of the record that begins, or of the group in which it stands; undefined where it has none. */
  get key(): string | number | undefined {
    const { steps } = this.#options;
    if (steps[this.#open.at(-1)?.steps ?? 0] === 'members') return keyValue(this.#name);
    return this.#group === undefined ? undefined : keyValue(this.#group);
  }

  /** The shortest JSON behind which the same may follow as at `at`: `[{},` for a place behind the comma of a list. */
  get opening(): string {
    const container = this.#open.at(-1);
    if (container === undefined) return this.#isBehind ? READ_VALUE : '';
    const member = container.closing === CLOSE_OBJECT ? '"":' : '';
    const bracket = container.closing === CLOSE_OBJECT ? '{' : '[';
    if (this.#isBehind) return `${bracket}${member}${READ_VALUE}`;
    const before = this.#isFirst ? bracket : `${bracket}${member}${READ_VALUE},`;
    return this.#isNamed ? `${before}${member}` : before;
  }

  /** Goes on to the next record; returns where it begins, or `NO_PLACE` or `NEEDS_MORE`. */
  next(from: number, end: number): number {
    for (let at = from; ; ) {
      at = this.#space(at, end);
      this.at = at;
      if (at === end) return NEEDS_MORE;
      const byte = this.#memory.bytes[at]!;
      const container = this.#open.at(-1);
      if (byte === container?.closing && !this.#isNamed && (this.#isBehind || this.#isFirst)) {
        this.#open.pop();
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
        if (this.#isRecord(byte)) return at;
        at = this.#passOther(at, end);
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
  #space(from: number, end: number): number {
    const { bytes } = this.#memory;
    let at = from;
    for (; at < end && bytes[at]! <= SPACE; at++) if (bytes[at] === LINE_FEED) this.line++;
    return at;
  }

  /** Passes a member's name; returns where its colon ends. */
  #passName(from: number, end: number): number {
    const { bytes, kernel, words } = this.#memory;
    if (bytes[from] !== QUOTE) return NO_PLACE;
    const to = kernel.any(from, end);
    if (to === 0) return words[STOPPED / 4]! >= end ? NEEDS_MORE : NO_PLACE;
    let at = to;
    while (at < end && bytes[at]! <= SPACE) at++;
    if (at === end) return NEEDS_MORE;
    if (bytes[at] !== COLON) return NO_PLACE;
    this.#space(to, at);
    this.#name = this.#open.at(-1)?.steps === OFF ? '' : stringAt(bytes, from, to);
    this.#isNamed = true;
    return at + 1;
  }

  /** The number of steps that lead to the next value, or OFF. */
  #stepsToValue(): number {
    const container = this.#open.at(-1);
    if (container === undefined) return 0;
    const step = this.#options.steps[container.steps];
    if (container.steps === OFF || step === undefined) return OFF;
    return typeof step === 'string' || step.name === this.#name ? container.steps + 1 : OFF;
  }

  #isRecord(byte: number): boolean {
    const { steps, header } = this.#options;
    if (this.#stepsToValue() !== steps.length) return false;
    if (byte === OPEN_OBJECT) return true;
    if (byte === OPEN_ARRAY && header !== undefined) return !this.#isHeaderDue;
    // Any value among roots or elements stands for a record, to be refused; members of an object may be anything.
    return steps.length === 0 || steps.at(-1) === 'each';
  }

  /** Enters a container on the way to the records, and skips any other value; returns where to go on. */
  #passOther(at: number, end: number): number {
    const { bytes, kernel, words } = this.#memory;
    const { steps, hasHeader } = this.#options;
    const toValue = this.#stepsToValue();
    const isArray = bytes[at] === OPEN_ARRAY;
    const isContainer = isArray || bytes[at] === OPEN_OBJECT;
    const isOnWay = isContainer && steps[toValue] !== undefined && isArray === (steps[toValue] === 'each');
    if (isOnWay && toValue === steps.length - 1) this.#isHeaderDue = hasHeader === true;
    if (isOnWay) return this.#enter(isArray, toValue, at);
    if (toValue === steps.length && isContainer) this.#isHeaderDue = false;
    words[LINES / 4] = 0;
    const to = kernel.any(at, end);
    // A container that does not end in the bytes is entered: so only the longest value inside of it is held in memory.
    if (to === 0 && words[STOPPED / 4]! >= end && isContainer) return this.#enter(isArray, OFF, at);
    if (to === 0) return words[STOPPED / 4]! >= end ? NEEDS_MORE : NO_PLACE;
    // More digits may follow.
    if (to === end && !isContainer && bytes[at] !== QUOTE) return NEEDS_MORE;
    this.pass(words[LINES / 4]!);
    return to;
  }

  #enter(isArray: boolean, steps: number, at: number): number {
    const within = this.#open.at(-1);
    if (within === undefined) this.#roots++;
    else if (steps !== OFF && this.#options.steps[within.steps] === 'members') this.#group = this.#name;
    this.#open.push({ closing: isArray ? CLOSE_ARRAY : CLOSE_OBJECT, steps });
    this.#isFirst = true;
    this.#isNamed = false;
    this.#isBehind = false;
    return at + 1;
  }
}
