/** Records read over their bytes are the records that the parser reads, whatever the layout and the chunks. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Binder } from '../../src/load/bind/bind.js';
import { findColumns } from '../../src/load/bind/columns.js';
import type { Mapping } from '../../src/load/fields/columns.js';
import { createPlan } from '../../src/load/fields/plan.js';
import { holdersOf } from '../../src/load/place/holders.js';
import { faultBetween } from '../../src/load/place/json-fault.js';
import type { PlaceOptions } from '../../src/load/place/json-place.js';
import { JsonReader } from '../../src/load/place/json-reader.js';
import { sampleOf } from '../../src/load/profile/sample.js';
import { createMistakeCounter } from '../../src/load/report/mistakes.js';
import { type CellNote, createTally, type TallyResult } from '../../src/load/report/tally.js';
import { BatchMemory } from '../../src/load/source/batch-memory.js';
import { createDecoder } from '../../src/load/source/decode.js';
import { valueAtPath } from '../../src/load/values/paths.js';
import { firstWords, wellFormedText } from '../../src/load/values/texts.js';
import { readCell, requiredReason } from '../../src/load/values/values.js';
import { collections, type DocumentedName, type Field, isList, type Value } from '../../src/model.js';
import type { RecordValues } from '../support/batch-writer.js';
import { inBatches } from '../support/batch-writer.js';
import { recordsIn } from '../support/batches.js';
import { names } from '../support/oracle.js';
import { anyRecord, inAscii, plainArticle, plainProduct, usualArticle, usualProduct } from '../support/records.js';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const memory = new BatchMemory();

function createTarget(
  name: DocumentedName,
  firstId: number | undefined,
  mapping: Mapping = new Map(),
  sample: readonly object[] = [],
) {
  const model = collections.find((one) => one.name === name) ?? collections[0];
  const records: RecordValues[] = [];
  const lines: number[] = [];
  const tally = createTally(model, createMistakeCounter(model, Date.UTC(2024, 0, 1)));
  const plan = createPlan({ model, mapping, isCsv: false }, sampleOf(sample));
  const binder = new Binder({
    model,
    memory,
    tally,
    plan,
    firstId,
    forms: model.fields.map(() => 'plain'),
    context: { isCsv: false, dateOrder: 'month first' },
    take(batch) {
      tally.accept(batch, []);
      records.push(...recordsIn(model, batch));
      lines.push(...batch.lines.subarray(0, batch.size));
    },
  });
  const result = () => {
    binder.flush();
    binder.countColumns();
    return { records, lines, report: tally.result() };
  };
  return { model, binder, plan, tally, result };
}

/** What the reader makes of a text that comes in such pieces. */
function readOver(name: DocumentedName, text: Buffer, isArray: boolean, pieces: readonly number[], firstId?: number) {
  return readAt(
    createTarget(name, firstId),
    isArray ? { shape: 'document', steps: ['each'] } : { shape: 'sequence', steps: [] },
    text,
    pieces,
  );
}

function readAt(
  { binder, result }: ReturnType<typeof createTarget>,
  options: PlaceOptions,
  text: Buffer,
  pieces: readonly number[],
) {
  const reader = new JsonReader({ binder, decoder: createDecoder() }, options);
  let goesOn = true;
  for (let at = 0, i = 0; at < text.length && goesOn; i++) {
    const size = pieces[i % pieces.length] ?? 1;
    goesOn = reader.read(text.subarray(at, at + size));
    at += size;
  }
  const fault = reader.end();
  return { ...result(), fault };
}

/** What the parser makes of the values of a text, each of which begins on such a line: each value is read for its field, one by one. */
function readParsed(
  name: DocumentedName,
  texts: readonly string[],
  lines: readonly number[],
  firstId?: number,
  mapping?: Mapping,
  sample?: readonly object[],
) {
  const { model, plan, tally } = createTarget(name, firstId, mapping, sample);
  const accepted: { readonly line: number; readonly values: RecordValues }[] = [];
  for (const [i, text] of texts.entries()) {
    const record: unknown = JSON.parse(text);
    const line = lines[i] ?? 0;
    if (typeof record !== 'object' || record === null || Array.isArray(record)) {
      tally.begin();
      tally.refuse(line, 'no object');
      continue;
    }
    const columns = findColumns(plan, model, Object.keys(record), firstId !== undefined);
    const cells = Object.values(record).map((cell: unknown) => exact(cell, text));
    columns.records++;
    tally.addColumns(columns);
    const notes: CellNote[] = [];
    const raws: unknown[] = [];
    const values = model.fields.map((field, row): Value => {
      const source = columns.fed.find((fed) => fed.field === row);
      if (source === undefined) return null;
      const raw = valueAtPath(cells[source.position], source.path, isList(model.fields[source.field]!.kind));
      raws[row] = raw;
      const { how, value } = readCell(field, raw, { isCsv: false, dateOrder: 'month first', form: 'plain' });
      const read = wellFormed(value);
      if (how === 'repaired' || how === 'unreadable' || read !== value) notes.push({ field: row, raw, read });
      return read;
    });
    const number = tally.begin();
    if (firstId !== undefined) values[0] = firstId + number - 1;
    const isBlank = (value: Value = null) => value === null || (typeof value === 'string' && value.trim() === '');
    const content = model.fields.findIndex((field) => field.name === 'content');
    const title = isBlank(values[1]) ? firstWords(String(values[content] ?? '')) : '';
    if (title !== '') {
      notes.push({ field: 1, raw: raws[1] ?? null, read: title });
      values[1] = title;
    }
    const missing = model.fields.findIndex((field: Field, row) => field.required === true && isBlank(values[row]));
    const field = model.fields[missing];
    if (field !== undefined) tally.refuse(line, requiredReason(field, raws[missing]));
    else {
      for (const note of notes) tally.note(line, note);
      accepted.push({ line, values });
    }
  }
  inBatches(
    model,
    accepted.map(({ values }) => values),
    (batch) => tally.accept(batch, []),
  );
  return {
    records: accepted.map(({ values }) => values),
    lines: accepted.map(({ line }) => line),
    report: tally.result(),
  };
}

function wellFormed(value: Value): Value {
  if (typeof value === 'string') return wellFormedText(value);
  if (!Array.isArray(value)) return value;
  return value.some((text) => text !== wellFormedText(text)) ? value.map(wellFormedText) : value;
}

/** An integer that a double cannot hold, as the text has it; inside of lists and objects its digits. */
function exact(cell: unknown, text: string): unknown {
  if (Array.isArray(cell)) return cell.map((element) => exactInside(element, text));
  if (typeof cell === 'object' && cell !== null)
    return Object.fromEntries(Object.entries(cell).map(([name, value]) => [name, exactInside(value, text)]));
  if (typeof cell !== 'number' || Math.abs(cell) <= Number.MAX_SAFE_INTEGER) return cell;
  const digits = text.match(/-?\d{16,}(?![\d.eE])/g)?.find((found) => Number(found) === cell);
  return digits === undefined ? cell : BigInt(digits);
}

const exactInside = (value: unknown, text: string): unknown => {
  const cell = exact(value, text);
  return typeof cell === 'bigint' ? String(cell) : cell;
};

/** The parser has names that are integers before all others. */
const inOneOrder = (report: TallyResult): TallyResult => ({
  ...report,
  notKept: report.notKept.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
});

const linesOf = (text: string): number => text.split('\n').length - 1;
const pieces = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });
const some = (name: DocumentedName) => {
  const usual = name === 'products' ? usualProduct() : usualArticle();
  const plain = fc.nat(50).map(name === 'products' ? plainProduct : plainArticle);
  return fc.oneof(usual, usual.map(inAscii), plain, anyRecord(name));
};

describe.each(names)('%s', (name) => {
  test.each([
    ['with ids of their own', undefined],
    ['with ids by position', 7],
  ])(
    '%s',
    (_, firstId) => {
      const records = fc.array(some(name), { maxLength: 12 });
      const space = fc.constantFrom('', '\n', ' \n\n ', '\r\n');
      fc.assert(
        fc.property(records, space, pieces, fc.boolean(), (found, gap, sizes, isArray) => {
          const texts = found.filter((text) => parsed(text) !== undefined);
          const between = isArray ? `${gap},${gap}` : `${gap}\n`;
          const text = isArray ? `[${gap}${texts.join(between)}${gap}]` : texts.join(between);
          let line = 1 + (isArray ? linesOf(gap) : 0);
          const lines = texts.map((one) => {
            const begins = line;
            line += linesOf(one) + linesOf(between);
            return begins;
          });
          const { fault, ...over } = readOver(name, Buffer.from(text), isArray, sizes, firstId);
          expect(fault).toBeUndefined();
          const expected = readParsed(name, texts, lines, firstId);
          expect(over.records).toEqual(expected.records);
          expect(over.lines).toEqual(expected.lines);
          const { refusals, ...report } = inOneOrder(over.report);
          const { refusals: expectedRefusals, ...expectedReport } = inOneOrder(expected.report);
          expect(report).toEqual(expectedReport);
          expect(refusals.map(({ record, line }) => [record, line])).toEqual(
            expectedRefusals.map(({ record, line }) => [record, line]),
          );
        }),
        { numRuns: 350 },
      );
    },
    60_000,
  );

  test('the first fault ends the reading, at the byte at which it stands in the whole text', () => {
    fc.assert(
      fc.property(fc.array(some(name), { minLength: 1, maxLength: 5 }), pieces, (texts, sizes) => {
        const text = Buffer.from(`[${texts.join(',')}]`);
        fc.pre(parsed(text.toString()) === undefined);
        const { at, isCut } = faultBetween(text, 0, text.length) ?? {};
        const { fault, report } = readOver(name, text, true, sizes);
        expect(fault).toMatchObject({ at, isCut });
        expect(report.records).toBeLessThan(texts.length);
      }),
      { numRuns: 500 },
    );
  });
});

test('a record of some megabytes is read in chunks of some kilobytes in no more than a few tries', () => {
  const big = JSON.stringify({ id: 1, title: 'T', content: 'x'.repeat(3 << 20) });
  const { records, fault } = readOver('articles', Buffer.from(`${big}\n${big}`), false, [1 << 19]);
  expect([records.length, fault]).toEqual([2, undefined]);
});

test('bytes that are no UTF-8 are read as windows-1252, in their record alone', () => {
  const text = Buffer.concat([
    Buffer.from('{"id":1,"title":"Café"}\n'),
    Buffer.from('{"id":2,"title":"Caf\xe9"}\n', 'latin1'),
    Buffer.from('{"id":3,"title":"Café"}'),
  ]);
  expect(readOver('products', text, false, [1000]).records.map(([id, title]) => [id, title])).toEqual([
    [1, 'Café'],
    [2, 'Café'],
    [3, 'Café'],
  ]);
});

test('half of a surrogate pair becomes U+FFFD, and is counted', () => {
  const text = '{"id":1,"title":"\\ud83d cut","author":"x\\udc00","category":"\\ud83d\\ude00"}';
  const { records, report } = readOver('products', Buffer.from(text), false, [1000]);
  expect(records).toEqual([[1, '\ufffd cut', 'x\ufffd', null, null, null, '😀']]);
  expect(report.fields.map(({ repaired }) => repaired)).toEqual([0, 1, 1, 0, 0, 0, 0]);
});

describe('values inside of others', () => {
  const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'é"');
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom<unknown>(null, true, 0, -1.5, '7', '£4.20', 'x', '', 'a\n"', [], ['x', 'y'], {}),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }).map((members) => Object.fromEntries(members) as unknown),
    ),
  }));
  const path = fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.array(fc.constantFrom('.a', '.b', '.c', '[0]', '[-1]'), { maxLength: 3 }))
    .map(([first, rest]) => first + rest.join(''));
  const sources = fc.tuple(path, path, path, path);
  const record = fc.tuple(tree, tree, tree).map(([a, b, c]) => ({ a, b, c }));

  test('are found over bytes where the parser finds them, whether or not the sample has them', () => {
    let values = 0;
    fc.assert(
      fc.property(
        sources,
        fc.array(record, { maxLength: 8 }),
        fc.nat(4),
        fc.constantFrom(0, 1),
        pieces,
        (from, records, sampled, indent, sizes) => {
          const fields = ['author', 'score', 'date', 'tags'];
          const mapping = new Map(from.map((source, i) => [source, fields[i] ?? null]));
          const texts = records.map((one, i) => JSON.stringify({ id: i, title: `t ${i}`, ...one }, null, indent));
          let line = 1;
          const lines = texts.map((text) => {
            const begins = line;
            line += linesOf(text) + 1;
            return begins;
          });
          const sample = records.slice(0, sampled);
          const target = createTarget('articles', undefined, mapping, sample);
          const over = readAt(target, { shape: 'sequence', steps: [] }, Buffer.from(texts.join('\n')), sizes);
          const { fault, ...found } = over;
          expect(fault).toBeUndefined();
          expect(found).toEqual(readParsed('articles', texts, lines, undefined, mapping, sample));
          values += found.records.flatMap((each) => each.slice(2)).filter((value) => value !== null).length;
        },
      ),
      { numRuns: 1000 },
    );
    expect(values).toBeGreaterThan(1000);
  });
});

describe('records that stand', () => {
  const values = fc.array(fc.tuple(fc.nat(99), fc.constantFrom<unknown>('a', 'é"', '', null, 5, ['x'])), {
    maxLength: 9,
  });
  const model = 'products';

  test('in rows', () => {
    fc.assert(
      fc.property(values, fc.boolean(), pieces, (rows, hasHeader, sizes) => {
        const header = ['title', 'price', 'note'];
        const cells = rows.map(([price, note], i) => [`t ${i}`, price, note].slice(0, 3 - (i % 2)));
        const text = JSON.stringify(hasHeader ? [header, ...cells] : cells, null, 1);
        const target = createTarget(model, 1);
        const places = { shape: 'document', steps: ['each'], header, hasHeader } as const;
        const { records, fault } = readAt(target, places, Buffer.from(text), sizes);
        expect(fault).toBeUndefined();
        expect(records.map(([id, title, , price]) => [id, title, price])).toEqual(
          rows.map(([price], i) => [i + 1, `t ${i}`, price]),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('under keys, which are their ids', () => {
    fc.assert(
      fc.property(values, pieces, (members, sizes) => {
        const keyed = Object.fromEntries(members.map(([price, note], i) => [10 + i, { title: `t ${i}`, price, note }]));
        const target = createTarget(model, undefined);
        const places = { shape: 'document', steps: ['members'], keyName: 'id' } as const;
        const { records, fault } = readAt(target, places, Buffer.from(JSON.stringify(keyed, null, 1)), sizes);
        expect(fault).toBeUndefined();
        expect(records.map(([id, title, , price]) => [id, title, price])).toEqual(
          members.map(([price], i) => [10 + i, `t ${i}`, price]),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('inside of others, whose values they get wherever these stand', () => {
    const text = fc.constantFrom('a', 'é"', 'b\n');
    const product = fc.record({ price: fc.nat(99), category: text }, { requiredKeys: ['price'] });
    const shop = fc.tuple(
      fc.record({ category: text, author: text, size: fc.nat(9) }, { requiredKeys: [] }),
      fc.array(product, { maxLength: 3 }),
      fc.boolean(),
    );
    const region = fc.tuple(
      fc.record({ author: text }, { requiredKeys: [] }),
      fc.array(shop, { maxLength: 3 }),
      fc.boolean(),
    );
    const around = (list: object, values: object, isListFirst: boolean) =>
      isListFirst ? { ...list, ...values } : { ...values, ...list };
    fc.assert(
      fc.property(fc.array(region, { maxLength: 4 }), fc.constantFrom(0, 1), pieces, (regions, indent, sizes) => {
        const expected: unknown[] = [];
        const tree = regions.map(([region, shops, isShopsFirst]) => {
          const branches = shops.map(([own, products, isProductsFirst]) => {
            for (const one of products) {
              const { author = null, category = null, price } = { ...region, ...own, ...one };
              expected.push([expected.length + 1, author, price, category]);
            }
            return around({ products: products.map((one) => ({ title: 'T', ...one })) }, own, isProductsFirst);
          });
          return around({ shops: branches }, region, isShopsFirst);
        });
        const steps = ['each', { name: 'shops' }, 'each', { name: 'products' }, 'each'] as const;
        const places = { shape: 'document', steps } as const;
        const read = readAt(
          createTarget(model, 1),
          { ...places, holders: holdersOf(places, 1), knownLists: new Set() },
          Buffer.from(JSON.stringify(tree, null, indent)),
          sizes,
        );
        expect(read.fault).toBeUndefined();
        expect(read.records.map(([id, , author, price, , , category]) => [id, author, price, category])).toEqual(
          expected,
        );
      }),
      { numRuns: 300 },
    );
  });
});
