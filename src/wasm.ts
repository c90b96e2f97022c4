/**
 * WebAssembly modules written out as expressions, for the few loops that JavaScript is slow at: no other compiler is
 * needed. Each function here gives the bytes of an instruction behind those of its operands; instructions and sections
 * are those of WebAssembly Core 1.0, chapter 5.
 */
export type Code = readonly number[];

/** As much of the engine's interface as is used; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new <Exports>(module: object, imports: object) => { readonly exports: Exports };
};

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Detaches `buffer`. */
  grow(pages: number): number;
}

export const MEMORY_PAGE_BYTES = 65_536;

export const createMemory = (bytes: number): WasmMemory =>
  new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / MEMORY_PAGE_BYTES)) });

export const I32 = 0x7f;
export const I64 = 0x7e;
const FUNCTION = 0x60;
const NOTHING = 0x40;

/** Whole numbers in LEB128, unsigned (sizes, indexes, offsets) and signed (constants). */
export function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: bigint): Code {
  const byte = Number(value & 127n);
  const rest = value >> 7n;
  const isLast = (rest === 0n && byte < 64) || (rest === -1n && byte >= 64);
  return isLast ? [byte] : [byte | 128, ...signed(rest)];
}

const unary =
  (instruction: number) =>
  (a: Code): Code => [...a, instruction];
const binary =
  (instruction: number) =>
  (a: Code, b: Code): Code => [...a, ...b, instruction];
const load =
  (instruction: number, alignment: number) =>
  (address: Code, offset = 0): Code => [...address, instruction, alignment, ...unsigned(offset)];
const store =
  (instruction: number, alignment: number) =>
  (address: Code, value: Code, offset = 0): Code => [...address, ...value, instruction, alignment, ...unsigned(offset)];

export const i32 = (value: number): Code => [0x41, ...signed(BigInt(value))];
export const i64 = (value: bigint): Code => [0x42, ...signed(value)];
export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
export const call = (index: number, ...operands: readonly Code[]): Code => [
  ...operands.flat(),
  0x10,
  ...unsigned(index),
];

export const load8 = load(0x2d, 0);
export const load16 = load(0x2f, 1);
export const load32 = load(0x28, 2);
export const load64 = load(0x29, 3);
export const store32 = store(0x36, 2);
export const store64 = store(0x37, 3);

export const isZero = unary(0x45);
export const equal = binary(0x46);
export const differs = binary(0x47);
/** Unsigned, as the comparisons below. */
export const less = binary(0x49);
export const atLeast = binary(0x4f);
export const shiftLeft = binary(0x74);
export const and = binary(0x71);
export const add = binary(0x6a);
export const subtract = binary(0x6b);
export const multiply = binary(0x6c);
export const isZero64 = unary(0x50);
export const differs64 = binary(0x52);
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

/** `again(0)` within the body goes back to the beginning of the loop, `again(1)` to that of the one around it. */
export const loop = (...body: readonly Code[]): Code => [0x03, NOTHING, ...body.flat(), 0x0b];
export const again = (depth: number): Code => [0x0c, depth];
export const againIf = (condition: Code, depth: number): Code => [...condition, 0x0d, depth];
/** Counts as a loop for the depths of `again` in its body. */
export const when = (condition: Code, ...body: readonly Code[]): Code => [
  ...condition,
  ...[0x04, NOTHING],
  ...body.flat(),
  0x0b,
];
export const giveBack = (value: Code): Code => [...value, 0x0f];

export interface WasmFunction {
  readonly name: string;
  readonly parameters: readonly number[];
  readonly results: readonly number[];
  /** The types of the locals that follow the parameters. */
  readonly locals: readonly number[];
  readonly body: readonly Code[];
}

const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const types = (list: readonly number[]): Code => vector(list.map((type) => [type]));
const text = (name: string): Code => types([...Buffer.from(name)]);
const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];

const bodyOf = ({ locals, body }: WasmFunction): Code => {
  const code = [...vector(locals.map((type) => [1, type])), ...body.flat(), 0x0b];
  return [...unsigned(code.length), ...code];
};

const moduleBytes = (functions: readonly WasmFunction[]): Uint8Array =>
  Uint8Array.from([
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(
      1,
      vector(functions.map(({ parameters, results }) => [FUNCTION, ...types(parameters), ...types(results)])),
    ),
    ...section(2, vector([[...text('memory'), ...text(''), 2, 0, 1]])),
    ...section(3, vector(functions.map((_, i) => [i]))),
    ...section(7, vector(functions.map(({ name }, i) => [...text(name), 0, i]))),
    ...section(10, vector(functions.map(bodyOf))),
  ]);

/** The functions, which call one another by their places in the list, over a memory. */
export function createKernel<Exports>(functions: readonly WasmFunction[], memory: WasmMemory): Exports {
  return new WebAssembly.Instance<Exports>(new WebAssembly.Module(moduleBytes(functions)), { memory: { '': memory } })
    .exports;
}
