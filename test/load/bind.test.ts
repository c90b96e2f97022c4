/** The binder takes any list of fields: a found field is a row of the model, in whatever format its values come. */
import { expect, test } from 'vitest';
import * as batch from '../../src/batch.js';
import { cellOf, NUMBER, RAW, type RecordBatch, textOf } from '../../src/batch.js';
import * as layout from '../../src/kernels/json-layout.js';
import { Binder } from '../../src/load/bind/bind.js';
import { createPlan } from '../../src/load/fields/plan.js';
import { NameTree, SourceRow } from '../../src/load/place/source-row.js';
import { createMistakeCounter } from '../../src/load/report/mistakes.js';
import { createTally } from '../../src/load/report/tally.js';
import { BatchMemory } from '../../src/load/source/batch-memory.js';
import { type CollectionModel, collections, type Field, type FieldKind } from '../../src/model.js';
import { listOf } from '../support/batches.js';

const [articles] = collections;
const KINDS: readonly FieldKind[] = ['integer', 'number', 'date', 'boolean', 'text', 'code', 'texts', 'codes', 'json'];
const found: readonly Field[] = Array.from({ length: 200 }, (_, i) => ({
  name: `f${i}`,
  kind: KINDS[i % KINDS.length] ?? 'text',
  description: '',
}));
const model: CollectionModel = {
  name: 'things',
  singular: 'Thing',
  fields: [...articles.fields.slice(0, 2), ...found],
};

/** Per kind a canonical value, and one that has to be read. */
const VALUES: Readonly<Record<string, readonly [canonical: unknown, spelt: string, read: unknown]>> = {
  integer: [7, '"1,234"', 1234],
  number: [4.2, '"£4.20"', 4.2],
  date: ['2016-08-04T15:52:00Z', '"2016-08-04"', '2016-08-04T00:00:00Z'],
  boolean: [true, '"false"', false],
  text: ['two "words"\n', '["one","two"]', 'one, two'],
  code: ['SKU-1', '17', '17'],
  texts: [['a', 'b"'], '"a, b"', ['a', 'b']],
  codes: [['x1'], '"x1|x2"', ['x1', 'x2']],
  json: [{ a: [1, { b: null }] }, '{ "a" : [ 1, "x y" ] }', { a: [1, 'x y'] }],
};

function valueAt(of: RecordBatch, cell: number): unknown {
  const kind = of.kinds[cell];
  if (kind === NUMBER) return of.numbers[cell];
  if (kind === batch.BOOLEAN) return of.numbers[cell] === 1;
  if (kind === batch.LIST) return listOf(of, cell);
  return kind === RAW ? JSON.parse(of.bytes.toString('utf8', of.starts[cell], of.ends[cell])) : textOf(of, cell);
}

test('200 found fields of all kinds are bound as documented ones are', () => {
  const memory = new BatchMemory();
  const records: unknown[][] = [];
  const tally = createTally(model, createMistakeCounter(model, 0));
  const binder = new Binder({
    model,
    memory,
    tally,
    plan: createPlan({ model, mapping: new Map(), isCsv: false }, []),
    firstId: undefined,
    forms: model.fields.map(() => 'plain'),
    context: { isCsv: false, dateOrder: 'month first' },
    take: (full) => {
      for (let i = 0; i < full.size; i++) records.push(model.fields.map((_, f) => valueAt(full, cellOf(f, i))));
    },
  });
  const valuesOf = ({ kind }: Field) => VALUES[kind] ?? [null, 'null', null];
  const texts = [
    `{"id":1,"title":"t",${found.map((field) => `"${field.name}":${JSON.stringify(valuesOf(field)[0])}`).join(',')}}`,
    `{"id":2,"title":"u",${found.map((field) => `"${field.name}":${valuesOf(field)[1]}`).join(',')}}`,
    '{"id":3,"title":"v"}',
  ];
  const row = new SourceRow(memory);
  const tree = new NameTree(memory);
  for (const text of texts) {
    const bytes = Buffer.from(text);
    binder.cells.openWindow(bytes.length);
    memory.bytes.set(bytes, 0);
    expect(memory.kernel.members(0, bytes.length, 0)).toBe(bytes.length);
    tree.name(row);
    binder.bind(row, 1);
    binder.flush();
  }
  expect(records[0]).toEqual([1, 't', ...found.map((field) => valuesOf(field)[0])]);
  expect(records[1]).toEqual([2, 'u', ...found.map((field) => valuesOf(field)[2])]);
  expect(records[2]).toEqual([3, 'v', ...found.map(() => null)]);
});

test('kinds of members have the numbers of kinds of cells', () => {
  const { NULL, TEXT, ESCAPED_TEXT, NUMBER, LIST, BOOLEAN } = batch;
  expect({ ...layout }).toMatchObject({ NULL, TEXT, ESCAPED_TEXT, NUMBER, LIST, BOOLEAN });
});
