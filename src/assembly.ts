/**
 * WebAssembly modules written out as expressions, for the few loops that JavaScript is slow at: no other compiler is
 * needed. Each function here gives the bytes of an instruction behind those of its operands, in lists of lists, which are
 * put together once all is said, where the program is bundled; instructions and sections are those of WebAssembly Core 2.0, chapter 5.
 */
import { type Kernel, kernelOf, MOST_PAGES, type SharedWasmMemory } from './wasm.js';

export type Code = readonly (number | Code)[];

export const I32 = 0x7f;
export const I64 = 0x7e;
export const F64 = 0x7c;
/** Two numbers of 64 bits side by side, or four of 32. */
export const V128 = 0x7b;
const FUNCTION = 0x60;
const NOTHING = 0x40;

/** Whole numbers in LEB128, unsigned (sizes, indexes, offsets) and signed (constants). */
function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: bigint): Code {
  const byte = Number(value & 127n);
  const rest = value >> 7n;
  const isLast = (rest === 0n && byte < 64) || (rest === -1n && byte >= 64);
  return isLast ? [byte] : [byte | 128, ...signed(rest)];
}

const unary =
  (...instruction: Code) =>
  (a: Code): Code => [a, instruction];
const binary =
  (...instruction: Code) =>
  (a: Code, b: Code): Code => [a, b, instruction];
const load =
  (instruction: Code, alignment: number) =>
  (address: Code, offset = 0): Code => [address, instruction, alignment, unsigned(offset)];
const store =
  (instruction: Code, alignment: number) =>
  (address: Code, value: Code, offset = 0): Code => [address, value, instruction, alignment, unsigned(offset)];
/** An instruction on vectors. */
const vectors = (instruction: number): Code => [0xfd, unsigned(instruction)];

export const i32 = (value: number): Code => [0x41, signed(BigInt(value | 0))];
export const i64 = (value: bigint): Code => [0x42, signed(value)];
export const f64 = (value: number): Code => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)];
export const get = (local: number): Code => [0x20, unsigned(local)];
export const set = (local: number, value: Code): Code => [value, 0x21, unsigned(local)];
/** Adds to a local. */
export const increase = (local: number, by: number | Code): Code =>
  set(local, add(get(local), typeof by === 'number' ? i32(by) : by));
export const call = (index: number, ...operands: readonly Code[]): Code => [operands, 0x10, unsigned(index)];

export const load8 = load([0x2d], 0);
export const load16 = load([0x2f], 1);
export const load32 = load([0x28], 2);
export const load64 = load([0x29], 3);
export const loadF64 = load([0x2b], 3);
export const store8 = store([0x3a], 0);
export const store16 = store([0x3b], 0);
export const store32 = store([0x36], 2);
export const store64 = store([0x37], 3);
export const storeF64 = store([0x39], 3);
/** Keeps a number as the nearest one of 32 bits. */
export const storeF32 = (address: Code, value: Code, offset = 0): Code =>
  store([0x38], 2)(address, [value, 0xb6], offset);

/** Adds 1 to the number at an address. */
export const increaseAt = (address: number): Code => store32(i32(address), add(load32(i32(address)), i32(1)));

export const isZero = unary(0x45);
export const equal = binary(0x46);
export const differs = binary(0x47);
/** Unsigned, as the comparisons below. */
export const less = binary(0x49);
export const more = binary(0x4b);
export const atLeast = binary(0x4f);
export const and = binary(0x71);
export const add = binary(0x6a);
export const subtract = binary(0x6b);
export const multiply = binary(0x6c);
/** Without a sign; by 0 is an error. */
export const divide = binary(0x6e);
export const remainder = binary(0x70);
export const or = binary(0x72);
export const xor = binary(0x73);
export const shiftLeft = binary(0x74);
export const shiftRight = binary(0x76);
export const rotateLeft = binary(0x77);
/** How many bits below the lowest one that is set; how many are set. */
export const trailingZeros = unary(0x68);
export const countBits = unary(0x69);
export const isZero64 = unary(0x50);
export const equal64 = binary(0x51);
export const differs64 = binary(0x52);
export const less64 = binary(0x54);
export const more64 = binary(0x56);
export const leadingZeros64 = unary(0x79);
export const trailingZeros64 = unary(0x7a);
export const count64 = unary(0x7b);
export const add64 = binary(0x7c);
export const subtract64 = binary(0x7d);
export const multiply64 = binary(0x7e);
export const and64 = binary(0x83);
export const or64 = binary(0x84);
export const xor64 = binary(0x85);
export const shiftLeft64 = binary(0x86);
export const shiftRight64 = binary(0x88);
export const toI32 = unary(0xa7);
export const toI64 = unary(0xad);
export const toF64 = unary(0xb8);
/** Of 64 bits, without a sign. */
export const wideToF64 = unary(0xba);
export const equalF64 = binary(0x61);
export const lessF64 = binary(0x63);
export const moreF64 = binary(0x64);
export const atLeastF64 = binary(0x66);
export const negativeF64 = unary(0x9a);
export const addF64 = binary(0xa0);
export const subtractF64 = binary(0xa1);
export const multiplyF64 = binary(0xa2);
export const divideF64 = binary(0xa3);
export const roundUpF64 = unary(0x9b);
export const lesserF64 = binary(0xa4);
/** The whole part of a number that is not negative. */
export const wholeOfF64 = unary(0xab);

export const loadV128 = load(vectors(0x00), 3);
export const storeV128 = store(vectors(0x0b), 3);
/** Eight bytes as eight numbers of 16 bits; of such, the first or last four as numbers of 32 bits. */
export const loadEight = load(vectors(0x02), 0);
export const firstFour = unary(...vectors(0xa9));
export const lastFour = unary(...vectors(0xaa));
/** Eight numbers of 16 bits side by side: the lesser ones. */
export const lesserOfEight = binary(...vectors(0x97));
/** The first two of four numbers of 32 bits as two F64. */
export const firstTwoF64 = unary(...vectors(0xfe));
/** Moves the last two of four numbers of 32 bits to the front. */
export const lastTwoFirst = (a: Code): Code => [
  a,
  a,
  vectors(0x0d),
  ...[8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15],
];
/** 16 bytes side by side: all the same, sums up to 255, the lesser and the greater ones, those at least as great, as 16 bits. */
export const sameBytes = unary(...vectors(0x0f));
export const bytesOf = (value: number): Code => [vectors(0x0c), ...new Uint8Array(16).fill(value)];
export const equalBytes = binary(...vectors(0x23));
export const lessBytes = binary(...vectors(0x26));
/** With a sign: one instruction of most processors. */
export const lessSignedBytes = binary(...vectors(0x25));
export const addBytes = binary(...vectors(0x70));
export const subtractBytes = binary(...vectors(0x71));
/** The number of a byte among the sixteen. */
export const numbersOfBytes: Code = [vectors(0x0c), ...Array(16).keys()];
/** Twice eight numbers of 16 bits as bytes, those above 255 as that, or as 0 where they are negative with a sign. */
export const asBytes = binary(...vectors(0x66));
export const lesserBytes = binary(...vectors(0x77));
export const greaterBytes = binary(...vectors(0x79));
export const atLeastBytes = binary(...vectors(0x2c));
export const signsOfBytes = unary(...vectors(0x64));
export const andV128 = binary(...vectors(0x4e));
/** What is set in the first and not in the second. */
export const andNotV128 = binary(...vectors(0x4f));
export const orV128 = binary(...vectors(0x50));
/** Eight numbers of 16 bits side by side, shifted by so many bits. */
export const shiftLeftEight = binary(...vectors(0x8b));
export const shiftRightEight = binary(...vectors(0x8d));
/** Of each two of eight numbers of 16 bits with a sign: their products, added up. */
export const addPairs = binary(...vectors(0xba));
/** Factors for these, two that come again and again. */
export const pairOf = (first: number, second: number): Code => [
  vectors(0x0c),
  ...new Uint8Array(Uint16Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? first : second)).buffer),
];
/** The first or second of two numbers of 64 bits. */
export const lane64 = (a: Code, lane: 0 | 1): Code => [a, vectors(0x1d), lane];
export const bothF64 = unary(...vectors(0x14));
export const addTwoF64 = binary(...vectors(0xf0));
export const subtractTwoF64 = binary(...vectors(0xf1));
export const multiplyTwoF64 = binary(...vectors(0xf2));
export const divideTwoF64 = binary(...vectors(0xf3));
export const greaterTwoF64 = binary(...vectors(0xf5));
/** The greater ones of numbers that are not NaN: one instruction of most processors. */
export const plainGreaterTwoF64 = binary(...vectors(0xf7));
export const laneF64 = (a: Code, lane: 0 | 1): Code => [a, vectors(0x21), lane];

/** One of two values, both of which are worked out. */
export const choose = (condition: Code, yes: Code, no: Code): Code => [yes, no, condition, 0x1b];

/** `again(0)` within the body goes back to the beginning of the loop, `again(1)` to that of the one around it. */
export const loop = (...body: readonly Code[]): Code => [0x03, NOTHING, body, 0x0b];
export const again = (depth: number): Code => [0x0c, depth];
export const againIf = (condition: Code, depth: number): Code => [condition, 0x0d, depth];
/** What `again` leads behind; it counts as a loop for the depths in its body. */
export const block = (...body: readonly Code[]): Code => [0x02, NOTHING, body, 0x0b];
/** Counts as a loop for the depths of `again` in its body. */
export const when = (condition: Code, ...body: readonly Code[]): Code => [condition, ...[0x04, NOTHING], body, 0x0b];
export const giveBack = (value: Code): Code => [value, 0x0f];
export const otherwise = (condition: Code, yes: readonly Code[], no: readonly Code[]): Code => [
  condition,
  ...[0x04, NOTHING],
  yes,
  0x05,
  no,
  0x0b,
];

export interface WasmFunction {
  /** None where only other functions call it. */
  readonly name?: string;
  readonly parameters: readonly number[];
  readonly results: readonly number[];
  /** The types of the locals that follow the parameters. */
  readonly locals: readonly number[];
  readonly body: readonly Code[];
}

const vector = (items: readonly Code[]): Code => [unsigned(items.length), items];
const types = (list: readonly number[]): Code => vector(list.map((type) => [type]));
const text = (name: string): Code => types([...Buffer.from(name)]);
/** Bytes behind how many they are. */
const sized = (content: Code): Code => {
  const bytes = bytesIn(content);
  return [unsigned(bytes.length), bytes];
};
const section = (id: number, content: Code): Code => [id, sized(content)];

const bodyOf = ({ locals, body }: WasmFunction): Code => sized([vector(locals.map((type) => [1, type])), body, 0x0b]);

/** How much memory a module takes: no less than a page. */
const OWN_MEMORY = [0, 1];
const SHARED_MEMORY = [3, 1, unsigned(MOST_PAGES)];

const moduleOf = (functions: readonly WasmFunction[], memory: Code): Code => [
  ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
  section(1, vector(functions.map(({ parameters, results }) => [FUNCTION, types(parameters), types(results)]))),
  section(2, vector([[text('memory'), text(''), 2, memory]])),
  section(3, vector(functions.map((_, i) => [i]))),
  section(7, vector(functions.flatMap(({ name }, i) => (name === undefined ? [] : [[text(name), 0, unsigned(i)]])))),
  section(10, vector(functions.map(bodyOf))),
];

/** The bytes in lists of lists, added to `bytes`. */
function bytesIn(code: Code, bytes: number[] = []): readonly number[] {
  for (const one of code) {
    if (typeof one === 'number') bytes.push(one);
    else bytesIn(one, bytes);
  }
  return bytes;
}

/** The functions, which call one another by their places in the list, as a module. */
export const createKernel = <Exports>(functions: readonly WasmFunction[]): Kernel<Exports> =>
  kernelOf(Uint8Array.from(bytesIn(moduleOf(functions, OWN_MEMORY))));

/** The same for memory that threads share. */
export const createSharedKernel = <Exports>(functions: readonly WasmFunction[]): Kernel<Exports, SharedWasmMemory> =>
  kernelOf(Uint8Array.from(bytesIn(moduleOf(functions, SHARED_MEMORY))));
