/**
 * Words of batches of records to keys, in WebAssembly: text is read where it stands, most of it 64 bytes at once (see
 * `word-window.ts`), the rest byte by byte. What is tied together, or is not of letters alone, becomes a cluster, to be
 * looked up by its spelling.
 */
import {
  add,
  again,
  againIf,
  and,
  atLeast,
  block,
  type Code,
  choose,
  createKernel,
  differs,
  equal,
  get,
  giveBack,
  I32,
  I64,
  i32,
  i64,
  increase,
  isZero,
  less,
  load8,
  load32,
  load64,
  loadV128,
  loop,
  more,
  multiply,
  or,
  or64,
  otherwise,
  set,
  shiftLeft,
  shiftLeft64,
  shiftRight,
  shiftRight64,
  store32,
  store64,
  subtract,
  toI64,
  V128,
  type WasmFunction,
  when,
} from '../assembly.js';
import { FIELD, GAP, RECORD } from './term-stream.js';
import { FULL_STOP, storeKey, wordReader } from './word-kernel.js';
import { CLUSTER_BIT, ENDS, KEY_BYTES, MARK_BIT, SEPARATES } from './word-places.js';
import { loadConstants, readWindows, WINDOW_CONSTANTS } from './word-window.js';

const COMMA = 44;
const BACKSLASH = 92;
const LETTER_U = 117;

const storeMark = (keys: number, mark: Code): Code => [
  ...store64(get(keys), or64(toI64(mark), i64(-1n << BigInt(MARK_BIT)))),
  ...increase(keys, KEY_BYTES),
];

/** Kinds of cells, below 32. Those below `plain` have no text; `plain` is JSON text without escapes, `escaped` with some, a bit of `lists` is set for lists of plain texts. */
export interface TextKinds {
  readonly plain: number;
  readonly escaped: number;
  readonly lists: number;
}

/**
 * Addresses: for each searched field of a batch those of its first record's kind (a byte), and of what else its cells have
 * (4 bytes each): start and end of a text, the first and last of a list's.
 */
export const CELL_BYTES = 20;
const START = 4;
const TEXT_END = 8;
const ELEMENTS_FROM = 12;
const ELEMENTS_TO = 16;
/** Behind where the keys end. */
const LACKS_ROOM = 4;
/** Of an escape by number. */
const ESCAPE_BYTES = 6;
/** What the keys of a text take at most for each of its bytes: a cluster of one, and the separator behind it, take two numbers. */
const KEY_BYTES_PER_BYTE = KEY_BYTES;
/** And besides: a mark, a cluster without a separator, and what is written behind that. */
const MORE_BYTES = 4 * KEY_BYTES;
/** Records with longer clusters, as have scripts without spaces, are left. */
export const MOST_CLUSTER_BYTES = 240;

export interface CellKernel {
  /**
   * Reads the records `from … to` of a batch, whose fields' cells are described at `fields` to `fieldsEnd` and whose lists'
   * texts at `elements`, and writes the keys of their words to `keys`, marks between them. Stops before a record that has
   * other texts, or for whose keys there may be no room before `keysEnd`, and returns its number. Where the keys
   * end stands at `result`, and behind that whether there was too little room. The last three are `TextKinds`.
   */
  readCells(
    from: number,
    to: number,
    fields: number,
    fieldsEnd: number,
    elements: number,
    classes: number,
    keys: number,
    keysEnd: number,
    result: number,
    plain: number,
    escaped: number,
    lists: number,
  ): number;
}

/** A cell's text ends with a quote, which is of the class of a space. */
const readCells = ((): WasmFunction => {
  const [record, to, fields, fieldsEnd, elements, classes, keys, keysEnd, result, plain, escaped, lists] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
  ];
  const [at, end, kind, start, length, field, mark, recordKeys, element, elementsEnd, byte, until] = [
    12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
  ];
  const last = 24;
  const [first, second, shift, isLetter, isSpace, isStop, isOurs, begins, ends] = [25, 26, 27, 28, 29, 30, 31, 32, 33];
  const [letters, constants] = [34, 35];
  const isByte = (address: Code, value: number): Code => equal(load8(address), i32(value));
  /** Of escapes only those by number are of anything but separators. */
  const isEscape = (address: Code): Code => and(isByte(address, BACKSLASH), differs(load8(address, 1), i32(LETTER_U)));
  const locals = { at, kind, start, length, first, second, letters };
  const windowLocals = { ...locals, last, isLetter, isSpace, isStop, isOurs, begins, ends };
  const { classify, advance, word } = wordReader(locals, {
    bytes: 1,
    load: load8,
    loadMany: loadV128,
    classOf: (unit) => load8(add(get(classes), unit)),
    isEscape,
  });
  const leave = (lastKeys: number, lacksRoom = 0): Code => [
    ...store32(get(result), get(lastKeys)),
    ...store32(get(result), i32(lacksRoom), LACKS_ROOM),
    ...giveBack(get(record)),
  ];
  const stop = leave(recordKeys);
  const stopFull = leave(recordKeys, 1);
  const ofRecord = (offset: number): Code => load32(add(load32(get(field), offset), shiftLeft(get(record), i32(2))));
  const room = add(get(keys), add(multiply(subtract(get(end), get(at)), i32(KEY_BYTES_PER_BYTE)), i32(MORE_BYTES)));
  const stopWithoutRoom = when(less(get(keysEnd), room), stopFull);
  /** Moves `at` to where the cluster ends: before a separator that ties nothing, but for a comma, which may stand in a number. */
  const passCluster = loop(
    classify,
    when(
      less(get(at), get(end)),
      set(byte, load8(get(at))),
      otherwise(
        equal(get(byte), i32(BACKSLASH)),
        [when(equal(load8(get(at), 1), i32(LETTER_U)), increase(at, ESCAPE_BYTES), again(3))],
        [when(or(differs(get(kind), i32(ENDS)), equal(get(byte), i32(COMMA))), increase(at, 1), again(3))],
      ),
    ),
  );
  /** Writes the bytes from `start` to `until` behind their number, and zeros behind them. */
  const storeCluster: Code = [
    ...set(length, subtract(get(until), get(start))),
    ...when(more(get(length), i32(MOST_CLUSTER_BYTES)), stop),
    ...store64(get(keys), or64(toI64(get(length)), i64(1n << BigInt(CLUSTER_BIT)))),
    ...increase(keys, KEY_BYTES),
    ...loop(
      when(
        less(get(start), get(until)),
        set(length, subtract(get(until), get(start))),
        set(shift, toI64(choose(less(get(length), i32(8)), subtract(i32(64), shiftLeft(get(length), i32(3))), i32(0)))),
        store64(get(keys), shiftRight64(shiftLeft64(load64(get(start)), get(shift)), get(shift))),
        increase(keys, KEY_BYTES),
        increase(start, KEY_BYTES),
        again(1),
      ),
    ),
  ];
  const lastKind = load8(add(get(classes), load8(subtract(get(until), i32(1)))));
  const readCluster: Code = [
    // A full stop before it may be a part of it.
    ...loop(when(isByte(subtract(get(start), i32(1)), FULL_STOP), increase(start, -1), again(1))),
    ...passCluster,
    // Separators at its end say nothing, but the signs of `C++` and `F#`.
    ...set(until, get(at)),
    ...loop(
      set(kind, lastKind),
      when(and(atLeast(get(kind), i32(ENDS)), differs(get(kind), i32(SEPARATES))), increase(until, -1), again(1)),
    ),
    ...storeCluster,
  ];
  const readWords = block(
    loop(
      block(
        loop(
          readWindows(windowLocals, keys, constants),
          classify,
          loop(when(and(less(get(at), get(end)), atLeast(get(kind), i32(ENDS))), advance, again(1))),
          againIf(atLeast(get(at), get(end)), 3),
          word((depth) => again(depth + 1)),
          storeKey(keys, locals),
          again(0),
        ),
      ),
      otherwise(isEscape(get(start)), [set(at, add(get(start), i32(2)))], [readCluster]),
      again(0),
    ),
  );
  const readText: Code = [
    ...set(at, add(ofRecord(START), i32(1))),
    ...set(end, subtract(ofRecord(TEXT_END), i32(1))),
    ...when(less(get(at), get(end)), stopWithoutRoom, storeMark(keys, get(mark)), readWords),
  ];
  const ofElement = (offset: number): Code => load32(add(get(elements), shiftLeft(get(element), i32(3))), offset);
  const readList: Code = [
    ...when(less(get(keysEnd), add(get(keys), i32(KEY_BYTES))), stopFull),
    ...storeMark(keys, get(mark)),
    ...set(element, ofRecord(ELEMENTS_FROM)),
    ...set(elementsEnd, ofRecord(ELEMENTS_TO)),
    ...loop(
      when(
        less(get(element), get(elementsEnd)),
        set(at, add(ofElement(0), i32(1))),
        set(end, subtract(ofElement(4), i32(1))),
        stopWithoutRoom,
        readWords,
        storeMark(keys, i32(GAP)),
        increase(element, 1),
        again(1),
      ),
    ),
  ];
  const isText = or(equal(get(kind), get(plain)), equal(get(kind), get(escaped)));
  const isList = and(shiftRight(get(lists), get(kind)), i32(1));
  return {
    name: 'readCells',
    parameters: Array(12).fill(I32),
    results: [I32],
    locals: [...Array(13).fill(I32), ...Array(9).fill(I64), ...Array(1 + WINDOW_CONSTANTS).fill(V128)],
    body: [
      loadConstants(constants, get(result)),
      loop(
        set(recordKeys, get(keys)),
        when(atLeast(get(record), get(to)), leave(keys)),
        when(less(get(keysEnd), add(get(keys), i32(KEY_BYTES))), stopFull),
        storeMark(keys, i32(RECORD)),
        set(field, get(fields)),
        set(mark, i32(FIELD)),
        loop(
          when(
            less(get(field), get(fieldsEnd)),
            set(kind, load8(add(load32(get(field)), get(record)))),
            when(atLeast(get(kind), get(plain)), otherwise(isText, [readText], [when(isZero(isList), stop), readList])),
            increase(field, CELL_BYTES),
            set(mark, subtract(get(mark), i32(1))),
            again(1),
          ),
        ),
        increase(record, 1),
        again(0),
      ),
      i32(0),
    ],
  };
})();

export const createCellKernel = createKernel<CellKernel>([readCells]);
