/** Postings tell of the tokens' terms what a slow reading of the stream tells, however far apart the words stand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBits, hasBit, setBit } from '../../src/bits.js';
import { ANY_FIELD } from '../../src/kernels/phrases-layout.js';
import { FIELD, GAP, POSITION_GAP, RECORD, REFERENCE } from '../../src/kernels/stream-layout.js';
import { invert as invertAll } from '../../src/search/build/inversion.js';
import { TokenStream } from '../../src/search/build/token-stream.js';
import { Kernels } from '../../src/search/rank/ranking-kernel.js';
import { DEFAULT_RANKING, normOf } from '../../src/search/scoring.js';
import { blockCount, maskOf, type PostingTables, type RowTables } from '../../src/search/tables.js';
import { createBlockBuffer, type PositionBuffer, readBlock, readPositions } from '../support/postings.js';

/** Ten fields: the last three share a bit of the masks. */
const WEIGHTS = [5, 2, 1, 254, 3, 1, 1, 2, 4, 7];
const TERMS = 40;

/** A token: a term, several of them, or one without position increment. */
type Token = number | { readonly sequence: number[]; readonly stacked: number[] } | { readonly stack: number };
/** Texts of fields, in the order of the fields. */
type Fields = readonly (readonly (readonly Token[])[])[];

interface Occurrence {
  frequency: number;
  mask: number;
  readonly positions: number[];
}

interface Expected {
  readonly lengths: (number | undefined)[];
  readonly fieldStarts: (number[] | undefined)[];
  readonly postings: Map<number, Occurrence>[];
}

/** Reads records word by word. */
function expected(records: readonly Fields[], rowOf: Int32Array): Expected {
  const found: Expected = { lengths: [], fieldStarts: [], postings: Array.from({ length: TERMS }, () => new Map()) };
  records.forEach((fields, record) => {
    const row = rowOf[record]!;
    if (row < 0) return;
    const starts: (number | undefined)[] = [];
    let position = 0;
    let length = 0;
    const add = (term: number, field: number): void => {
      const occurrence = found.postings[term]!.get(row) ?? { frequency: 0, mask: 0, positions: [] };
      occurrence.frequency += WEIGHTS[field]!;
      occurrence.mask |= maskOf({ fieldWeights: WEIGHTS }, field);
      occurrence.positions.push(position++);
      found.postings[term]!.set(row, occurrence);
    };
    fields.forEach((texts, field) => {
      if (texts.length === 0) return;
      position += POSITION_GAP;
      starts[field] = position;
      texts.forEach((tokens, i) => {
        const addWord = (term: number): void => {
          add(term, field);
          length += WEIGHTS[field]!;
        };
        const addBeside = (term: number): void => {
          position--;
          add(term, field);
        };
        for (const token of tokens) {
          if (typeof token === 'number') addWord(token);
          else if ('stack' in token) addBeside(token.stack);
          else {
            token.sequence.forEach(addWord);
            token.stacked.forEach(addBeside);
          }
        }
        if (i < texts.length - 1) position += POSITION_GAP;
      });
    });
    found.lengths[row] = length;
    let next = position;
    found.fieldStarts[row] = WEIGHTS.map((_, i) => WEIGHTS.length - 1 - i)
      .map((field) => (next = starts[field] ?? next))
      .reverse();
  });
  return found;
}

/** How the stream comes, and how it is inverted. */
interface Way {
  readonly piece: number;
  readonly minPartitionTokens: number;
}

function invert(records: readonly Fields[], rowOf: Int32Array, way: Way): RowTables & PostingTables {
  const lists: number[] = [];
  const listTokens: number[] = [];
  const stream = records.flatMap((fields) => [
    RECORD,
    ...fields.flatMap((texts, field) =>
      texts.flatMap((tokens, i) => [
        i === 0 ? FIELD - field : GAP,
        ...tokens.map((token) => {
          if (typeof token === 'number') return token;
          if ('stack' in token) return REFERENCE - 2 * token.stack - 1;
          const { sequence, stacked } = token;
          listTokens.push(~lists.length);
          lists.push(sequence.length + stacked.length);
          lists.push(...sequence.map((term) => term << 1), ...stacked.map((term) => (term << 1) | 1));
          return TERMS + listTokens.length - 1;
        }),
      ]),
    ),
  ]);
  const { piece, minPartitionTokens } = way;
  const all = new TokenStream();
  for (let from = 0; from < stream.length; from += piece) all.add(Int32Array.from(stream.slice(from, from + piece)));
  const termOf = Int32Array.from([...Array(TERMS).keys(), ...listTokens]);
  const tokenTerms = { terms: TERMS, termOf, lists: Uint32Array.from(lists) };
  const { rows, stream: measured } = all.measure(rowOf, tokenTerms, WEIGHTS, DEFAULT_RANKING);
  return { ...rows, ...invertAll(measured, minPartitionTokens) };
}

interface Posting {
  readonly impact: number;
  /** Undefined where the term is dense. */
  readonly mask: number | undefined;
  readonly positions: readonly number[];
}

function postingsOf(tables: RowTables & PostingTables, term: number): Map<number, Posting> {
  const found = new Map<number, Posting>();
  if (tables.documentFrequencies[term] === 0) return found;
  const buffer = createBlockBuffer(tables, term);
  const positions: PositionBuffer = { positions: new Uint32Array(1), count: 0 };
  const dense = tables.dense.get(term);
  for (let i = 0; i < blockCount(tables, term); i++) {
    const block = tables.firstBlocks[term]! + i;
    const blockBits = tables.blockBits[term]!;
    const rowsOfBlock = Array.from({ length: 1 << blockBits }, (_, at) => (i << blockBits) + at);
    const held = dense
      ? rowsOfBlock.flatMap((row) =>
          hasBit(dense.rows, row) ? [{ row, impact: dense.impacts[row]!, mask: undefined }] : [],
        )
      : Array.from({ length: readBlock(tables, term, i, buffer) }, (_, at) => ({
          row: buffer.rows[at]!,
          impact: buffer.impacts[at]!,
          mask: buffer.masks[at]!,
        }));
    let at = tables.positionStarts[block]!;
    for (const { row, impact, mask } of held) {
      at = readPositions(tables.bytes, at, positions);
      found.set(row, { impact, mask, positions: [...positions.positions.subarray(0, positions.count)] });
    }
    expect(held.filter(({ row }) => row >> blockBits !== i)).toEqual([]);
    expect(at).toBe(tables.positionStarts[block + 1]);
  }
  return found;
}

const impactAt = (tables: RowTables, row: number, frequency: number): number =>
  Math.max(1, Math.floor((255 * frequency) / (frequency + normOf(tables, tables.lengths[row]!)) + 0.5));

function agrees(records: readonly Fields[], rowOf: Int32Array, way: Partial<Way> = {}): void {
  const tables = invert(records, rowOf, { piece: 1000, minPartitionTokens: 1000, ...way });
  const { lengths, fieldStarts, postings } = expected(records, rowOf);
  expect(tables.rows).toBe(lengths.length);
  expect(tables.documents).toBe(lengths.filter((length) => length !== undefined).length);
  lengths.forEach((length, row) => {
    expect(tables.lengths[row]).toBe(length ?? tables.longest + 1);
    if (length !== undefined)
      expect([...tables.fieldStarts.subarray(row * WEIGHTS.length, (row + 1) * WEIGHTS.length)]).toEqual(
        fieldStarts[row],
      );
  });
  postings.forEach((rows, term) => {
    expect(tables.documentFrequencies[term]).toBe(rows.size);
    const dense = tables.dense.get(term);
    expect(dense !== undefined).toBe(rows.size > Math.floor(tables.rows / 2));
    if (dense) {
      const all = Array.from({ length: tables.rows }, (_, row) => row);
      expect(all.filter((row) => hasBit(dense.rows, row) !== rows.has(row))).toEqual([]);
      expect(all.filter((row) => dense.impacts[row]! > 0 !== rows.has(row))).toEqual([]);
    }
    const expectedPostings = [...rows]
      .sort(([a], [b]) => a - b)
      .map(([row, { frequency, mask, positions }]) => [
        row,
        { impact: impactAt(tables, row, frequency), mask: dense ? undefined : mask, positions },
      ]);
    expect([...postingsOf(tables, term)]).toEqual(expectedPostings);
  });
}

/** The field of each occurrence of a phrase in a row, read from the records. */
function fieldsWith(found: Expected, row: number, phrase: readonly (readonly [term: number, position: number])[]) {
  const [[first, start] = [0, 0]] = phrase;
  const positionsOf = (term: number) => new Set(found.postings[term]!.get(row)?.positions);
  const held = phrase.map(([term, position]) => ({ positions: positionsOf(term), behind: position - start }));
  const places = [...positionsOf(first)].filter((at) =>
    held.every(({ positions, behind }) => positions.has(at + behind)),
  );
  return places.map((at) => found.fieldStarts[row]!.findLastIndex((begin) => begin <= at));
}

/** Phrases in rows, which the kernel is asked for in any order; and the rows that hold a phrase. */
function agreesOnPhrases(records: readonly Fields[], phrases: readonly (readonly number[])[], step: number): void {
  const rowOf = Int32Array.from(records.keys());
  const tables = invert(records, rowOf, { piece: 1000, minPartitionTokens: 1000 });
  const found = expected(records, rowOf);
  const kernels = new Kernels(tables);
  for (const terms of phrases.filter((terms) => terms.every((term) => tables.documentFrequencies[term]! > 0))) {
    const phrase = terms.map((term, i) => [term, i * (1 + (step % 2))] as const);
    kernels.setPhrase(phrase.map(([term, position]) => ({ term, position })));
    const all = [...records.keys()];
    const fields = all.map((row) => fieldsWith(found, row, phrase));
    const occurrences = fields.map((some) => some.reduce((sum, field) => sum + WEIGHTS[field]!, 0));
    const inSteps = all.map((i) => (i * step) % records.length);
    expect(inSteps.filter((row) => kernels.frequencyIn(row) !== occurrences[row])).toEqual([]);
    for (const field of [ANY_FIELD, terms[0]! % WEIGHTS.length]) {
      const rows = createBits(records.length);
      for (const row of all) setBit(rows, row);
      kernels.keepWithPhrase(rows, field);
      const isHeld = (row: number): boolean => fields[row]!.some((one) => field === ANY_FIELD || one === field);
      expect(all.filter((row) => hasBit(rows, row) !== isHeld(row))).toEqual([]);
    }
  }
}

const term = fc.oneof(fc.nat(3), fc.nat(TERMS - 1));
const token: fc.Arbitrary<Token> = fc.oneof(
  { weight: 8, arbitrary: term },
  { weight: 1, arbitrary: term.map((stack) => ({ stack })) },
  {
    weight: 2,
    arbitrary: fc.record({ sequence: fc.array(term, { maxLength: 3 }), stacked: fc.array(term, { maxLength: 2 }) }),
  },
);
const tokens = fc.oneof(
  fc.array(token, { maxLength: 8 }),
  fc.tuple(fc.nat(300), token).map(([count, one]) => [...Array<Token>(count).fill(1), one]),
);
const fields = fc.array(fc.array(tokens, { maxLength: 3 }), { maxLength: WEIGHTS.length });

test('of any records, some of which replace others', () => {
  fc.assert(
    fc.property(
      fc.array(fields, { maxLength: 60 }),
      fc.nat(4),
      fc.record({
        piece: fc.integer({ min: 1, max: 50 }),
        minPartitionTokens: fc.constantFrom(1, 10, 1000),
      }),
      (records, step, way) => {
        let rows = 0;
        const rowOf = Int32Array.from(records, (_, i) => (step > 1 && i % step === 1 ? -1 : rows++));
        if (step === 4) rowOf.reverse();
        agrees(records, rowOf, way);
      },
    ),
    { numRuns: 150 },
  );
});

/** Terms of a record are distinct here: a term and its stacked form never share a position. */
const plainFields = fc.array(fc.array(fc.array(term, { maxLength: 8 }), { maxLength: 2 }), {
  maxLength: WEIGHTS.length,
});

test('phrases of any records, in rows in any order', () => {
  fc.assert(
    fc.property(
      fc.array(plainFields, { minLength: 1, maxLength: 60 }),
      fc.array(fc.array(term, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
      fc.constantFrom(1, 2, 7, 59),
      agreesOnPhrases,
    ),
    { numRuns: 150 },
  );
});

test('of many records, whose terms have many blocks, and of positions far apart', () => {
  const random = (i: number, of: number): number => (Math.imul(i + 7, 2654435761) >>> 8) % of;
  const records = Array.from({ length: 3000 }, (_, i): Fields => {
    const tokens = Array.from({ length: 1 + random(i, 9) }, (_, j) => random(i * 31 + j, 1 + random(j + i, TERMS)));
    return [[tokens], [Array<Token>(random(i, 400)).fill(0)], [], [[i % TERMS]]];
  });
  agrees(records, Int32Array.from(records.keys()));
  agrees(records, Int32Array.from(records.keys()), { minPartitionTokens: 10_000 });
  agrees([[[Array<Token>(70_000).fill(2)], [[3]]]], Int32Array.of(0));
  const phrases = [[1], [2, 1], [0, 0, 0], [1, 0], [5, 17], [39, 3, 2]];
  for (const step of [1, 7]) agreesOnPhrases(records, phrases, step);
  const alternating = Array.from({ length: 5000 }, (_, i) => (i % 3 === 2 ? 3 : 2));
  agreesOnPhrases([[[alternating]], [[[2, 3]]]], [[2], [2, 2, 3], [3, 2], [2, 2, 2]], 1);
});
