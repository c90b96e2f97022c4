/**
 * The names of a field by their folded text: those that begin alike stand side by side, and are found by binary search. An
 * order is made when it is first asked for, or in steps before that; it takes 4 bytes a name, and while it is made 44 more
 * and the names' text.
 */
import { firstWhere } from '../binary-search.js';
import { KEY_WORDS, KeySort } from '../key-sort.js';
import { fold } from '../text.js';
import { type FoldedTexts, FoldedTextsBuilder } from './folded-texts.js';
import { type Names, nameAt, nameCount } from './names.js';

/** Names that are folded, or whose keys are set, in one step. */
const STEP_NAMES = 4096;
const WORD_BYTES = 4;
const KEY_BYTES = KEY_WORDS * WORD_BYTES;

/** One order for each table of names, as long as that is there. */
const orders = new WeakMap<Names, Uint32Array>();

/** The codes of the names that begin with a text, case and accents aside, by the UTF-8 of their folded text. */
export function codesBeginning(names: Names, beginning: string): Uint32Array {
  const order = orderOf(names);
  const wanted = Buffer.from(fold(beginning));
  const compare = (code: number): number =>
    Buffer.from(fold(nameAt(names, code)))
      .subarray(0, wanted.length)
      .compare(wanted);
  const from = firstWhere(0, order.length, (position) => compare(order[position]!) >= 0);
  const to = firstWhere(from, order.length, (position) => compare(order[position]!) > 0);
  return order.subarray(from, to);
}

function orderOf(names: Names): Uint32Array {
  const steps = makeOrder(names);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** All codes in order. A step takes a few milliseconds of a million names. */
export function* makeOrder(names: Names): Generator<void, Uint32Array> {
  const made = orders.get(names);
  if (made !== undefined) return made;
  const texts = yield* foldedNames(names);
  const order = Uint32Array.from({ length: nameCount(names) }, (_, code) => code);
  const keys = new KeySort();
  const due = [{ codes: order, at: 0 }];
  for (let run = due.pop(); run !== undefined; run = due.pop()) {
    const { codes, at } = run;
    keys.reserve(codes.length);
    for (let i = 0; i < codes.length; i++) {
      setKey(keys, i, codes[i]!, texts, at);
      if (i % STEP_NAMES === STEP_NAMES - 1) yield;
    }
    yield* keys.sortInSteps(codes.length);
    codes.set(keys.rows(codes.length));
    const next = at + KEY_BYTES;
    keys.forEachRun(codes.length, (from, to) => {
      const same = codes.subarray(from, to);
      if (same.some((code) => lengthOf(texts, code) > next)) due.push({ codes: same, at: next });
      // Nothing tells them apart but characters 0 at their ends.
      else same.sort((a, b) => lengthOf(texts, a) - lengthOf(texts, b));
    });
    yield;
  }
  orders.set(names, order);
  return order;
}

/** The key of a code: the bytes of its text from the `at`-th on, and 0 for those behind its end. */
function setKey(keys: KeySort, i: number, code: number, { bytes, starts }: FoldedTexts, at: number): void {
  const [from, end] = [starts[code]! + at, starts[code + 1]! - 1];
  const wordAt = (place: number): number => {
    let word = 0;
    for (let byte = place; byte < place + WORD_BYTES; byte++) word = (word << 8) | (byte < end ? bytes[byte]! : 0);
    return word >>> 0;
  };
  keys.set(i, code, wordAt(from), wordAt(from + 4), wordAt(from + 8), wordAt(from + 12));
}

const lengthOf = ({ starts }: FoldedTexts, code: number): number => starts[code + 1]! - 1 - starts[code]!;

function* foldedNames(names: Names): Generator<void, FoldedTexts> {
  const texts = new FoldedTextsBuilder();
  const { bytes, offsets } = names;
  for (let code = 0; code < nameCount(names); code++) {
    texts.add(bytes, offsets[code]!, offsets[code + 1]!, () => nameAt(names, code));
    if (code % STEP_NAMES === 0) yield;
  }
  return texts.finish();
}
