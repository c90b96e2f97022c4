import { describe, expect, it } from 'vitest';
import { loadSnapshots } from '../../src/load/load.js';
import { warningLines } from '../../src/load/report/report-text.js';
import { loadFiles as load } from '../support/load.js';

const PRODUCT = '{"id":1,"title":"Tea","author":"A","price":1.5,"imageUrl":"/a.png","rating":4,"category":"c"}';
const PRODUCT_VALUES = [1, 'Tea', 'A', 1.5, '/a.png', 4, 'c'];

describe('places in which records stand', () => {
  it.each([
    ['products.json', `[${PRODUCT}]`],
    ['products.json', `[\n${PRODUCT},\n${PRODUCT}\n]\n`],
    ['products.json', `{"total":1,"items":[${PRODUCT}],"next":null}`],
    ['products.json', `${PRODUCT}\n${PRODUCT}\n`],
    ['products.json', PRODUCT],
    ['products.ndjson', `${PRODUCT}\r\n${PRODUCT}`],
    ['products.jsonl', `\ufeff${PRODUCT}\n`],
  ])('%s: %s', async (name, content) => {
    const { records, fault } = await load({ [name]: content });
    expect(fault).toBeUndefined();
    expect(records[0]).toEqual(PRODUCT_VALUES);
    expect(records.length).toBe(content.split('"Tea"').length - 1);
  });
});

describe('broken files', () => {
  it.each([
    ['', 'products.json:1:1: the file is empty: expected an array of objects'],
    ['[', 'products.json:1:2: the file ends inside a value: the download was probably cut off'],
    ['[{"id":1,}]', 'products.json:1:10: expected a name in double quotes, found `}`: remove the comma before it'],
    ['[{"id":1},\n]', 'products.json:2:1: expected a value, found `]`: remove the comma before it'],
    ['[]\n[]', 'products.json:2:1: expected the end of the file, found `[`: put all records in one array'],
    ['[{"id":1}\n {"id":2}]', 'products.json:2:2: expected `,` or `]`, found `{`: put a comma before it'],
    ['{"data":[\n{"id":1,"title":"a"}},\n{"id":2,"title":"b"}]}', 'products.json:2:21: expected `,` or `]`, found `}`'],
    [
      "{'data':[\n{'id':1},\n{'id':2}]}",
      "products.json:1:2: expected a name in double quotes or `}`, found `'`: strings need double quotes, as Python's json.dumps writes them",
    ],
    ['[{id:1}]', 'products.json:1:3: expected a name in double quotes or `}`, found `i`'],
    [
      '{"error":"no"}',
      'products.json:1:1: expected an array of objects, or an object with one such array in it; found an object without one',
    ],
    [
      '<html>',
      'products.json:1:1: expected a value, found `<`: this looks like HTML or XML, perhaps an error page that was saved in place of the dump',
    ],
  ])('%s', async (content, message) => {
    expect((await load({ 'products.json': content })).fault).toBe(message);
  });
});

describe('the report', () => {
  it('says which records are refused, where and why', async () => {
    const content = `[\n${PRODUCT},\n5,\n{"id":2},\n{"id":3,"title":" "},\n{"id":"x","title":"t"}]`;
    const { result } = await load({ 'products.json': content });
    expect(result.ok && result.report.files[0]).toMatchObject({
      file: 'products.json',
      records: 5,
      accepted: 1,
      refused: 4,
      refusals: [
        { records: 1, record: 2, line: 3, reason: 'expected an object, found a number' },
        { records: 1, record: 3, line: 4, reason: 'title is missing' },
        { records: 1, record: 4, line: 5, reason: 'title is empty' },
        { records: 1, record: 5, line: 6, reason: 'id: expected an integer, found "x"' },
      ],
    });
  });

  it('counts files in natural order, replaced records, and names what it ignores', async () => {
    const files = { 'products10.json': `[${PRODUCT}]`, 'products2.json': `[${PRODUCT}]`, 'notes.txt': '' };
    const { result } = await load(files);
    expect(result.ok && result.report).toMatchObject({
      files: [
        { file: 'products2.json', replaced: 0 },
        { file: 'products10.json', replaced: 1 },
      ],
      ignored: [
        'notes.txt: its ending is none of .json, .ndjson, .jsonl, .jl, .har, .geojson, .jsonld, .csv, .tsv (or .gz, .zst after that), .zip; rename it, or name the file itself to have it read',
      ],
    });
  });

  it('warns where there is nothing to serve', async () => {
    const { result } = await load({});
    expect(result.ok && warningLines(result.report)[0]).toMatch(
      /^there is no dump in .*, so nothing is served: put a \.json, \.ndjson or \.csv file there$/,
    );
    const missing = await loadSnapshots({ dir: '/nowhere', onCollection: () => () => [] });
    expect(missing.ok && warningLines(missing.report)).toEqual(['there is no folder /nowhere, so nothing is served']);
  });
});
