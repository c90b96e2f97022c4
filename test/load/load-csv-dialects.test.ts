/** CSV as programs other than ours write it. */
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { findLayout } from '../../src/load/place/csv-dialect.js';
import { collections } from '../../src/model.js';
import { loadFiles } from '../support/load.js';

const fieldNames = (names: readonly string[]) => {
  const isName = (name: string): boolean => names.includes(name);
  return { isFieldName: isName, isExactName: isName };
};

/** Its records, without trailing nulls, and what was said of it. */
async function load(content: string | Uint8Array, name = 'products.csv') {
  const { records, files, fault } = await loadFiles({ [name]: content });
  const [file] = files;
  const said = file?.decisions.filter((text) => !/: guessed from /.test(text)) ?? [];
  return { fault, said, records, refusals: file?.refusals ?? [], notKept: file?.notKept ?? [] };
}

describe('quotes', () => {
  const rows = Array.from({ length: 16 }, (_, i) => `${i + 1},"The \\"${i}th\\" hour, revised","A \\\\ B"\n`).join('');

  it('are escaped by a backslash where that reads more rows', async () => {
    const { records, refusals, said } = await load(`id,title,author\n${rows}`);
    expect(refusals).toEqual([]);
    expect(records[4]).toEqual([5, 'The "4th" hour, revised', 'A \\ B', null, null, null, null]);
    expect(said).toEqual(['a backslash escapes quotes in this file: \\" is read as a quote']);
  });

  it('are not where a backslash is a character like any other', async () => {
    const { records, refusals, said } = await load('id,title,author\n1,"C:\\","A"\n2,"D:\\x\\","say ""hi"""\n');
    expect(records.map(([, ...texts]) => texts.slice(0, 2))).toEqual([
      ['C:\\', 'A'],
      ['D:\\x\\', 'say "hi"'],
    ]);
    expect([refusals, said]).toEqual([[], []]);
  });

  it('may stand in cells without quotes', async () => {
    const { records } = await load('id,title,author\n1,12" vinyl,5\'10" tall\n');
    expect(records).toEqual([[1, '12" vinyl', '5\'10" tall', null, null, null, null]]);
  });

  it('are characters like any other where a table with tabs has it so', async () => {
    const { records, refusals, said } = await load(
      'id\ttitle\tauthor\n1\t"Heroes" again\tB\n2\t"Low\tB\n3\tLodger\tB\n',
    );
    expect(records.map(([, title]) => title)).toEqual(['"Heroes" again', '"Low', 'Lodger']);
    expect(refusals).toEqual([]);
    expect(said).toEqual(['quotes are text in this file: they stand around no cell']);
  });

  it('of a row that cannot be read do not take the rows that follow', async () => {
    const { records, refusals } = await load('id,title,author\n1,a,b\n2,"c d,e\n3,"f",g\n4,h,i\n');
    expect(records.map(([id]) => id)).toEqual([1, 3, 4]);
    expect(refusals.map(({ line }) => line)).toEqual([3]);
  });
});

it('our own exports are read by the rules of RFC 4180, whatever their texts', () => {
  const names = collections[0].fields.map(({ name }) => name);
  const words = fc.string({
    unit: fc.constantFrom('a', ',', ';', '\t', '|', '"', '\\"', '\\', '\n', '\r\n', 'id,title', 'sep=;', '1,50', ' '),
    maxLength: 8,
  });
  const rows = fc.array(fc.array(words, { minLength: names.length, maxLength: names.length }), { maxLength: 8 });
  fc.assert(
    fc.property(rows, fc.boolean(), fc.nat(), (cells, isWhole, cut) => {
      const bytes = Buffer.from(Papa.unparse([names, ...cells]));
      const headEnd = isWhole ? bytes.length : Math.max(names.join().length + 2, cut % bytes.length);
      const layout = findLayout(bytes.subarray(0, headEnd), isWhole, fieldNames(names));
      expect(layout).toEqual({
        dialect: { delimiter: ',', quotes: 'doubled' },
        headerAt: 0,
        headerLine: 1,
        notes: [],
      });
    }),
    { numRuns: 3000 },
  );
});

describe('separators', () => {
  // Another sign than the separator, or one in quotes, is part of a text: there it separates two authors.
  const twoAuthors = 'author: a text may hold several values, separated by ";"; each is counted';
  it.each([
    ['a bar', 'id|title|author\n1|a, b|c;d\n', [twoAuthors]],
    ['a tab', 'id\ttitle\tauthor\n1\ta, b\tc;d\n', [twoAuthors]],
    ['told by Excel', 'sep=;\nid;title;author\n1;a, b;"c;d"\n', [twoAuthors]],
    ['told, and no sign that is tried', 'sep=^\r\nid^title^author\r\n1^a, b^c;d\r\n', [twoAuthors]],
    ['found by names, not by signs', 'id;title;author, editor, translator, and others\n1;a, b;c\n', []],
  ])('%s', async (_, content, notes) => {
    const { records, refusals, said } = await load(content);
    expect(records.map(([id, title]) => [id, title])).toEqual([[1, 'a, b']]);
    expect([refusals, said]).toEqual([[], notes]);
  });
});

describe('column names', () => {
  it('may stand behind a preamble and blank lines', async () => {
    const { records, refusals, said } = await load(
      '\r\nCatalogue of the "Rare, and Found" shop\r\nPrice list,made on 2024-01-02\r\n\r\nid,title,author\r\n1,a,b\r\n2,c\r\n',
    );
    expect(records).toEqual([[1, 'a', 'b', null, null, null, null]]);
    expect(refusals).toEqual([{ records: 1, record: 2, line: 7, reason: 'expected 3 cells, found 2' }]);
    expect(said).toEqual(['the column names stand on line 5; 3 lines before them left out']);
  });

  it('are on the first line although a text looks like column names', async () => {
    const { records, said } = await load(
      'title,url\n"How to: \nid,title,url,author,date\n",https://a.example\n',
      'articles.csv',
    );
    expect(records.map(([, title]) => title)).toEqual(['How to: \nid,title,url,author,date']);
    expect(said).toEqual([]);
  });

  it('are on the first line although only one of them is known, and a text has two', async () => {
    const { records, said } = await load('headline,foo,bar\n"How to: \ntitle, author",x,y\n', 'articles.csv');
    expect(records.map(([, title]) => title)).toEqual(['How to: \ntitle, author']);
    expect(said).toEqual([]);
  });

  it('may be one alone', async () => {
    expect((await load('title\nauthor\nid\n')).records.map(([, title]) => title)).toEqual(['author', 'id']);
  });

  it('may be missing: an index and empty columns are left out without noise', async () => {
    const { records, notKept, said } = await load(',id,title, ,\n0,7,a,,\n1,8,b,,\n2,9,c,,\n');
    expect(records.map(([id, title]) => [id, title])).toEqual([
      [7, 'a'],
      [8, 'b'],
      [9, 'c'],
    ]);
    expect([notKept, said]).toEqual([[], []]);
  });

  it('may be missing: a column with values is called by its place, a first one where it is no index', async () => {
    const later = await load('id,title,,price, \n7,a,,1,x\n8,b,red,2,y\n');
    expect(later.notKept.map(({ name }) => name)).toEqual(['column 3', 'column 5']);
    expect(later.said).toEqual(['2 columns have no name: called column 3, column 5']);
    const first = await load(',id,title\n9.5,7,a\n4.5,8,b\n');
    expect(first.said).toEqual(['a column has no name: called column 1']);
    const appended = await load(',id,title\n3,7,a\n8,8,b\n,id,title\n0,9,c\n5,10,d\n');
    expect([appended.notKept, appended.said]).toEqual([[], []]);
  });

  it('that cannot be read are told', async () => {
    expect((await load('id,"title" x,author\n1,a,b,c\n')).fault).toBe(
      'products.csv:1: the row of column names cannot be read: expected a separator behind the closing quote of cell 2, found "x"',
    );
    expect((await load(`id,title${',x'.repeat(2 << 20)}\n1,a\n`)).fault).toBe(
      'products.csv:1: the row of column names cannot be read: more than 1,048,576 cells',
    );
  });

  it('may be there twice', async () => {
    const { records } = await load('id,title,title,id\n7,a,b,9\n');
    expect(records.map(([id, title]) => [id, title])).toEqual([[7, 'a']]);
  });
});

describe('decimal commas', () => {
  it('are read where no number has a decimal point', async () => {
    const { records, said } = await load(
      'id;title;price;rating\n1;a;"1.234,56 €";4,5\n2;b;12,345;3,125\n3;c;1.234;4\n4;1.234;99;5\n5;d;-1.234.567,5;12.34.56\n',
    );
    expect(records.map(([, title, , price, , rating]) => [title, price, rating])).toEqual([
      ['a', 1234.56, 4.5],
      ['b', 12.345, 3.125],
      ['c', 1234, 4],
      ['1.234', 99, 5],
      ['d', -1234567.5, null],
    ]);
    expect(said).toEqual([]);
  });

  it.each(['4.5', '4.333333', '0.125'])('are not where another number is %s', async (rating) => {
    const { said } = await load(`id;title;price;rating\n1;a;12,50;${rating}\n`);
    expect(said).toEqual([]);
  });

  it('are those of a column that has them, whatever other columns have', async () => {
    const { records, said } = await load('id;title;price;rating\n1;a;"1.234,56 €";4.5\n2;b;12,345;3\n');
    expect(records.map(([, , , price]) => price)).toEqual([1234.56, 12.345]);
    expect(said).toEqual([
      'price: the comma of "12,345", which may separate thousands, is decimal, as "1.234,56 €" shows',
    ]);
  });
});

describe('cells', () => {
  it('may hold lists and objects in JSON, in quotes or without', async () => {
    const { records } = await load(
      'sku|id|title|author|image\nx|1|[a]|{"name":"B"}|["https://a.example/1.jpg","https://a.example/2.jpg"]\nx|2|"t"|"[""B"",""C""]"|"[]"\n',
    );
    expect(records.map(([, title, author, , image]) => [title, author, image])).toEqual([
      ['[a]', 'B', 'https://a.example/1.jpg'],
      ['t', 'B, C', null],
    ]);
  });

  it('are decoded where they hold entities of HTML', async () => {
    const { records } = await load('sku,id,title,author\nx,1,Tea &amp; Tale,"A &amp; ""B"""\n');
    expect(records.map(([, title, author]) => [title, author])).toEqual([['Tea & Tale', 'A & "B"']]);
  });
});

it('a dump of Macintosh line ends is read in chunks', async () => {
  const rows = Array.from({ length: 60_000 }, (_, i) => `${i + 1},a title of some length,"b\rc"\r`).join('');
  const { records } = await load(`id,title,author\r${rows}`);
  expect(records.length).toBe(60_000);
});

it('a row without an end is told with its line', async () => {
  const { fault } = await load(`id,title\n1,a\n2,"${'x'.repeat(70 << 20)}`);
  expect(fault).toBe('products.csv:3: the row that begins here does not end within 64 MB: a closing quote is missing');
});
