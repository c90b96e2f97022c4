/** Faults of rows in CSV: a row that lost or gained a separator is refused, and takes no other row with it. */
import { describe, expect, it, test } from 'vitest';
import { startUpText } from '../../src/load/report/report-text.js';
import { loadFiles } from '../support/load.js';

/** Its records as far as they have values, by the names of their fields, and what was refused. */
async function load(content: string, options: { readonly isPartial?: boolean } = {}) {
  const { records, models, files, fault } = await loadFiles(
    { 'things.csv': content },
    { as: 'things', columns: 'all', ...options },
  );
  const names = models.get('things')?.fields.map(({ name }) => name) ?? [];
  const named = records.map((values) =>
    Object.fromEntries(values.flatMap((value, i) => (value === null || names[i] === 'id' ? [] : [[names[i], value]]))),
  );
  const [file] = files;
  const refused = (file?.refusals ?? []).map(({ line, reason }) => `${line}: ${reason}`);
  return { records: named, refused, said: file?.decisions ?? [], fault };
}

describe('a separator too many', () => {
  it('is refused, also where an empty cell stands at the end', async () => {
    const { records, refused } = await load('name,price,rating,comment\nTea,4.20,5,\nCup,,5.00,4,\nPot,6.00,3,\n');
    expect(records.map(({ title }) => title)).toEqual(['Tea', 'Pot']);
    expect(refused).toEqual(['3: expected 4 cells, found 5']);
  });

  it('ends the rows of some programs: then a row without it has to have a last value', async () => {
    const { records, refused } = await load(
      'name,price,city\nTea,3,Graz,\nRye4,Wien,\nOat,5,Linz,\nEmmer,6,,\nSpelt,7,Wels\nBere,,8,Enns,\nDurum,2,Graz,\nTeff,1,Linz,\n',
    );
    expect(records).toEqual([
      { title: 'Tea', price: 3, city: 'Graz' },
      { title: 'Oat', price: 5, city: 'Linz' },
      { title: 'Emmer', price: 6 },
      { title: 'Spelt', price: 7, city: 'Wels' },
      { title: 'Durum', price: 2, city: 'Graz' },
      { title: 'Teff', price: 1, city: 'Linz' },
    ]);
    expect(refused).toEqual(['3: expected 4 cells, found 3', '7: expected 4 cells, found 5']);
  });
});

describe('a separator too few', () => {
  it.each([
    ['before a quoted text with one inside', 'Cup,5.00"white, tall",b', 'a separator is missing before a quoted cell'],
    ['before one with quotes too', 'Cup,5.00"white, ""very"" tall",b', 'a separator is missing before a quoted cell'],
    ['before one without', 'Cup,5.00"white tall",b', 'expected 4 cells, found 3'],
    ['behind one', 'Cup,5.00,"white, tall"b', 'expected a separator behind the closing quote of cell 3, found "b"'],
  ])('%s', async (_, row, reason) => {
    const { records, refused } = await load(`name,price,text,note\nPot,4,"a, b",c\n${row}\nTea,3,d,e\n`);
    expect(records.map(({ title }) => title)).toEqual(['Pot', 'Tea']);
    expect(refused).toEqual([`3: ${reason}`]);
  });

  it.each(['12" vinyl,5\'10" tall', '12"x14",10"', '3.5",5.25"', 'a "b" c,d', '24" wide,24"', '8"x10,12"', 'a 24",b"'])(
    'is not what inches show: %s',
    async (row) => {
      const { records, refused } = await load(`name,size\nPot,4\n${row}\n`);
      expect([records.length, refused]).toEqual([2, []]);
    },
  );
});

it('inches in cells far from one another cut no text', async () => {
  const { records, refused } = await load('name,price,size\nMonitor 24" wide,199,24"\nTape,3,2"\n');
  expect([records.map(({ title }) => title), refused]).toEqual([['Monitor 24" wide', 'Tape'], []]);
});

test('a row of separators alone is a blank line', async () => {
  const { records, refused } = await load('city,rooms,rent\nGraz,3,700\n,,\nLinz,1,500\n,,,,\n"",,\n');
  expect(records.map(({ city }) => city)).toEqual(['Graz', 'Linz', '']);
  expect(refused).toEqual([]);
});

test.each(['name,price,url', 'city,street,note'])(
  'the row of names comes again where runs were appended: %s',
  async (names) => {
    const { records, refused } = await load(
      `${names}\nOak,a,b\n${names}\nElm,c,d\n"${names.replaceAll(',', '","')}"\nAsh,e,f\n`,
    );
    expect(records.length).toBe(3);
    expect(refused).toEqual(['3: the row holds the column names once more']);
    const marked = await load(`\ufeff${names}\nOak,a,b\n\ufeff${names}\nElm,c,d\n ${names}\nAsh,e,f\n`);
    expect([marked.records.length, marked.refused]).toEqual([3, refused]);
  },
);

test('a name that stands there twice has a number the second time', async () => {
  const { records } = await load('name,stock,name,stock,name2\nTea,3,Green,4,x\nRye,4,Dark,5,y\n');
  expect(records[0]).toEqual({ title: 'Tea', stock: 3, name3: 'Green', stock2: 4, name2: 'x' });
});

const MAY_BE = 'may be notes or totals, and is read as any other';

describe('a row below a table', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['of totals', ['Tea,1.50,3', 'Rye,2.50,4', 'Total,4.00,7'], [`the last row of the table, on line 4, ${MAY_BE}`]],
    [
      'of totals and of notes',
      ['Tea,1.50,3', 'Rye,2.50,4', 'Grand total:,4.00,7', 'Source: Office,,'],
      ['2 rows at the end of the table, the first on line 4, may be notes or totals, and are read as all others'],
    ],
    [
      'of a title alone',
      ['Tea,1.50,3', 'Rye,2.50,4', 'Dune: Part Two,,'],
      [`the last row of the table, on line 4, ${MAY_BE}`],
    ],
    ['with records behind it', ['Tea,1.50,3', 'Total,1.50,3', 'Source: Office,,', 'Rye,2.50,4'], []],
    [
      'of a note, behind totals between records',
      ['Tea,1.50,3', 'Total,1.50,3', 'Rye,2.50,4', 'Source: Office,,'],
      [`the last row of the table, on line 5, ${MAY_BE}`],
    ],
    ['where many have a title alone', ['Tea,1.50,3', ...Array.from({ length: 21 }, (_, i) => `Rye ${i},,`)], []],
    ['where others have a title alone', ['Source: Office,,', 'Rye,2.50,4', 'Stand: 2024,,'], []],
    ['where all have one', ['Source: Office,,', 'Stand: 2024,,'], []],
  ])('%s is a record, and told where it is the last', async (_, rows, told) => {
    const { records, refused, said } = await load(`name,price,stock\n${rows.join('\n')}\n`);
    expect(records.map(({ title }) => title)).toEqual(rows.map((row) => row.split(',')[0]));
    expect(refused).toEqual([]);
    expect(said.filter((line) => line.includes('may be notes or totals'))).toEqual(told);
  });

  it('is told at the start, also where it is refused', async () => {
    const { result } = await loadFiles({ 'products.csv': 'id,title,price\n1,Tea,2\n2,Rye,3\nTotal,,5\n' });
    const lines = result.ok ? startUpText(result.report) : [];
    expect(lines).toContain('  refused: record 3 (line 4): id: expected an integer, found "Total"');
    expect(lines).toContain(`  the last row of the table, on line 4, ${MAY_BE}`);
  });

  it('of text leaves a column of dates or numbers what it is', async () => {
    const { records } = await load('name,seen,count\nTea,2024-01-02,5\nRye,2024-01-03,7\n\nSource: Office,,\n');
    expect(records[0]).toEqual({ title: 'Tea', seen: '2024-01-02T00:00:00Z', count: 5 });
  });
});

describe('the names stand', () => {
  const table = (lines: string) => `${lines}region,births,deaths\nNorth,1204,900\nSouth,987,1001\n`;
  const region = (records: readonly Record<string, unknown>[]) => records.map((record) => record.region ?? '');

  it.each([
    ['below a title', 'Annual report 2023\n\n'],
    ['below titles of one cell each', 'Table: 12411-0001\n"Births, deaths",,\n'],
    ['on the first line', ''],
  ])('%s, though no field goes by them', async (_, lines) => {
    const { records, refused } = await load(table(lines));
    expect([region(records), refused]).toEqual([['North', 'South'], []]);
  });

  it('on the first line of a list of texts, whose commas stand in all others', async () => {
    const { records } = await load('city\nBoston, MA\nSalem, MA\nAustin, TX\n');
    expect(records.length).toBe(3);
  });
});

describe('a row that begins with #', () => {
  const reason = 'the row is a comment: it begins with #, as all lines above the column names do';

  it.each<[string, string, readonly string[], readonly string[]]>([
    ['below comments is one', '# Export\n\n# 2024\nname,price\n#Lamp,15\nTea,1\n', ['Tea'], [`5: ${reason}`]],
    ['below other lines is a record', 'Export\nname,price,stock\n#Lamp,15,2\nTea,1,3\n', ['#Lamp', 'Tea'], []],
    ['is a record where most do', '# Export\nname,price\n#1,15\n#2,1\n#3,4\n', ['#1', '#2', '#3'], []],
    ['in quotes is a record', '# Export\nname,price\n"#Lamp",15\nTea,1\n', ['#Lamp', 'Tea'], []],
  ])('%s', async (_, content, titles, reasons) => {
    const { records, refused } = await load(content);
    expect([records.map(({ title }) => title), refused]).toEqual([titles, reasons]);
  });
});

describe('a quote that never closes', () => {
  const unclosed = 'a quoted cell of the row never ends: a closing quote is missing';

  it.each([
    ['in the last row', 'id,name\n1,a\n2,b\n3,"c\n', ['a', 'b'], [`4: ${unclosed}`]],
    ['as its last sign', 'id,name\n1,"a"\n2,"b"\n3,"\n', ['a', 'b'], [`4: ${unclosed}`]],
    ['between rows without quotes', 'id,name\n1,a\n2,"b\n3,c\n', ['a', 'c'], [`3: ${unclosed}`]],
    [
      'before a text with line breaks',
      'id,name\n1,a\n2,"b\nc\n',
      ['a'],
      [`3: ${unclosed}`, '4: expected 2 cells, found 1'],
    ],
    ['in no row, where a text has line breaks', 'id,name\n1,a\n2,"b\nc"\n', ['a', 'b\nc'], []],
  ])('%s is the fault of that row alone', async (_, content, titles, faults) => {
    const { records, refused } = await load(content);
    expect(records.map(({ title }) => title)).toEqual(titles);
    expect(refused).toEqual(faults);
  });

  it('at the end of a file without a line break is a cut, before which --partial serves the records', async () => {
    const content = 'id,name\n1,a\n2,b\n3,"c';
    expect((await load(content)).fault).toMatch(
      /^things\.csv:4: the file ends inside .*; --partial serves the 2 records before it$/,
    );
    const { records, refused } = await load(content, { isPartial: true });
    expect(records).toEqual([{ title: 'a' }, { title: 'b' }]);
    expect(refused[0]).toMatch(/^4: a quoted cell of the row never ends/);
  });
});

describe('spaces separate cells', () => {
  it.each<[string, string, readonly object[]]>([
    [
      'of two names of fields',
      'name price\nTea 3\nCup 4\n',
      [
        { title: 'Tea', price: 3 },
        { title: 'Cup', price: 4 },
      ],
    ],
    [
      'of most rows, where a field has one of the names',
      'name price stock\nTea 3 4\nGreen cup 4 5\nPot 5 6\n',
      [
        { title: 'Tea', price: 3, stock: 4 },
        { title: 'Pot', price: 5, stock: 6 },
      ],
    ],
    [
      'beside texts in quotes',
      'city rent note\nGraz 700 "near, the river"\nBad Ischl 650 "quiet"\nLinz 500 "top floor"\n',
      [
        { city: 'Graz', rent: 700, note: 'near, the river' },
        { city: 'Linz', rent: 500, note: 'top floor' },
      ],
    ],
    [
      'several of them, below one another',
      'city  rent  rooms\nGraz   700      3\nWien    90     12\n',
      [
        { city: 'Graz', rent: 700, rooms: 3 },
        { city: 'Wien', rent: 90, rooms: 12 },
      ],
    ],
  ])('%s', async (_, content, right) => {
    const { records, said } = await load(content);
    expect(records).toEqual(right);
    expect(said).toContain('spaces separate the cells of this file');
  });

  it.each([
    ['no words of a text', 'Title of the notes\nWe met at noon and talked\nNothing was decided that day\n'],
    ['no titles of a list', 'name\nGreen tea\nWhite cup\n'],
    ['no names of a list whose own name has two words', 'author name\nAnn Lee\nBob Ray\n'],
    ['no times', 'date,name\n2024-01-02 10:00,Tea\n2024-01-03 11:30,Cup\n'],
  ])('but %s', async (_, content) => {
    const { said } = await load(content);
    expect(said).not.toContain('spaces separate the cells of this file');
  });
});

describe('a first row that describes the columns is refused', () => {
  const described = '2: the row describes the columns: it has texts where all others have numbers';

  it.each([
    ['names in another language', 'city,rent,area\nStadt,Miete,Fläche\nGraz,700,50\nLinz,650,60\n'],
    ['types', 'city,rent,area\ntext,number,number\nGraz,700,50\nLinz,650,60\n'],
    ['units', 'city,rent,area\n,EUR,m²\nGraz,700,50\nLinz,650,60\n'],
    ['questions', 'city,rent,area\nWhere do you live?,What do you pay?,How large is it?\nGraz,700,50\nLinz,650,60\n'],
  ])('%s', async (_, content) => {
    const { records, refused } = await load(content);
    expect(records).toEqual([
      { city: 'Graz', rent: 700, area: 50 },
      { city: 'Linz', rent: 650, area: 60 },
    ]);
    expect(refused).toEqual([described]);
  });

  it.each([
    ['names in another case, as names once more', 'city,rent,area\nCity,Rent,Area\nGraz,700,50\nLinz,650,60\n', 2],
    ['no words for a missing value', 'city,rent,area\nWien,n/a,NULL\nGraz,700,50\nLinz,650,60\n', 3],
    ['no word that comes again', 'city,rent,area\nWien,sold,new\nGraz,700,50\nLinz,sold,60\nWels,500,40\n', 4],
    ['no text in one column of numbers', 'city,rent\nWien,on request\nGraz,700\nLinz,650\n', 3],
    ['no record of texts', 'city,kind,state\nWien,flat,old\nGraz,house,new\n', 2],
  ])('but %s', async (_, content, count) => {
    const { records, refused } = await load(content);
    expect(records).toHaveLength(count);
    expect(refused).not.toContain(described);
  });
});

describe('names on several rows', () => {
  it.each<[string, string, object]>([
    [
      'are the last, where it has all',
      'Flat,,Costs,\ncity,area,rent,fee\nGraz,50,700,90\nLinz,60,650,80\n',
      { city: 'Graz', area: 50, rent: 700, fee: 90 },
    ],
    [
      'stand below heads of several columns',
      'Region,2023,,2024,\n,rent,area,rent,area\nGraz,700,50,720,51\nLinz,650,60,680,61\n',
      { Region: 'Graz', _2023Rent: 700, _2023Area: 50, _2024Rent: 720, _2024Area: 51 },
    ],
    [
      'stand below heads that repeat',
      'Region,2023,2023,2024,2024\n,rent,area,rent,area\nGraz,700,50,720,51\nLinz,650,60,680,61\n',
      { Region: 'Graz', _2023Rent: 700, _2023Area: 50, _2024Rent: 720, _2024Area: 51 },
    ],
    [
      'may be three',
      'Flat,,Costs,\nplace,,monthly,once\ncity,area,rent,fee\nGraz,50,700,90\nLinz,60,650,80\n',
      { city: 'Graz', area: 50, rent: 700, fee: 90 },
    ],
    [
      'are one, where a record follows',
      'city,,rent\nGraz,old,700\nLinz,new,650\n',
      { city: 'Graz', column2: 'old', rent: 700 },
    ],
    [
      'are one, where two are the same',
      'city,kind,kind\nGraz,old,big\nLinz,new,small\n',
      { city: 'Graz', kind: 'old', kind2: 'big' },
    ],
  ])('%s', async (_, content, first) => {
    const { records } = await load(content);
    expect(records[0]).toEqual(first);
    expect(records).toHaveLength(2);
  });
});

describe('names without a row', () => {
  it('tell the collection, which is empty, and the report says so', async () => {
    const { files, fault } = await loadFiles({ 'things.csv': 'name,price,stock\n' });
    expect(fault).toBeUndefined();
    expect(files.map(({ collection, records, decisions }) => ({ collection, records, decisions }))).toEqual([
      { collection: 'products', records: 0, decisions: ['the file has column names and no row'] },
    ]);
  });

  it('that no field has are no table', async () => {
    const { result } = await loadFiles({ 'things.csv': 'city,rent,rooms\n' });
    expect(result.ok && result.report.ignored).toEqual([
      'things.csv: no record was found in it: expected rows below the row of column names',
    ]);
  });
});

describe('a column of comments without numbers tells no articles', () => {
  it.each([
    [
      'where it is empty',
      'name,brand,rating,url,comments\nTea,Acme,4.5,https://e.test/a,\nCup,Bolt,4.1,https://e.test/b,\n',
      'things',
    ],
    [
      'where it has remarks',
      'date,product,qty,comments\n2024-01-02,Tea,3,late\n2024-01-03,Cup,4,broken box\n',
      'things',
    ],
    ['where a price tells products', 'name,price,comments\nTea,3,\nCup,4,\n', 'products'],
  ])('%s', async (_, content, collection) => {
    const { files } = await loadFiles({ 'things.csv': content });
    expect(files.map((file) => file.collection)).toEqual([collection]);
  });

  it.each([
    ['numbers do', 'title,url,comments\nTea,https://e.test/a,3\nCup,https://e.test/b,\n'],
    ['a score beside it does', 'title,author,score,comments\nTea,Ann,3,\nCup,Bob,4,\n'],
  ])('but %s', async (_, content) => {
    const { files } = await loadFiles({ 'things.csv': content });
    expect(files.map((file) => file.collection)).toEqual(['articles']);
  });
});

describe('a file without a record says why', () => {
  it.each([
    [
      'a quote that opens in the first row',
      '1,Tea,"4,20\n2,Salt\n',
      /no row of it is a record; the first is on line 2: a quoted cell of the row never ends: a closing quote is missing$/,
    ],
    [
      'rows of another width',
      '1,Tea\n2,Salt\n',
      /no row of it is a record; the first is on line 2: expected 3 cells, found 2$/,
    ],
  ])('%s', async (_, rows, message) => {
    const { fault } = await loadFiles({ 'things.csv': `id,title,price\n${rows}` }, { columns: 'all' });
    const { result } = await loadFiles({ 'things.csv': `id,title,price\n${rows}` }, { columns: 'all' });
    expect(fault ?? (result.ok ? result.report.ignored.join() : '')).toMatch(message);
  });
});

describe('the row of names', () => {
  it.each<[string, string, readonly object[]]>([
    [
      'keeps its place where a text holds words of names',
      'company,position,city\nBolt,Driver,Wien\nAcme,Pricing Analyst,Graz\nBolt,Content Editor,Wien\nCity,Driver,Linz\n',
      [{ company: 'Bolt' }, { company: 'Acme' }, { company: 'Bolt' }, { company: 'City' }],
    ],
    [
      'is not looked for inside of a text',
      'a,b,c\n1,2,3\n"Once upon\na time",5,6\n7,8,9\n',
      [{ a: '1' }, { a: 'Once upon\na time' }, { a: '7' }],
    ],
    ['may begin with an empty name', ',city,rooms\n0,Graz,3\n1,Linz,1\n', [{ city: 'Graz' }, { city: 'Linz' }]],
    ['may hold years', 'RUN,2019,2020\nA,3,4\nB,5,6\n', [{ _2019: 3, _2020: 4 }, { _2019: 5 }]],
    ['may hold a name twice', 'city,rooms,city\nGraz,3,x\n', [{ city: 'Graz', rooms: 3, city2: 'x' }]],
    [
      'stands behind notes',
      '# exported 2024-05-01, by shop\n# rows: 2\nname,price\nLamp,5\nVase,6\n',
      [{ title: 'Lamp' }, { title: 'Vase' }],
    ],
  ])('%s', async (_, content, expected) => {
    const { records, refused } = await load(content);
    expect(records).toMatchObject(expected);
    expect([records.length, refused]).toEqual([expected.length, []]);
  });

  it.each<[string, string, object, string]>([
    [
      'a separator too many at the end',
      'name,price,\nTea,3\nRye,4\n',
      { title: 'Tea', price: 3 },
      'its empty cells are no columns',
    ],
    [
      'one inside',
      'city,,rooms,rent\nGraz,3,4.5\nLinz,1,2.5\n',
      { city: 'Graz', rooms: 3, rent: 4.5 },
      'its empty cells are no columns',
    ],
    [
      'another separator',
      'city,rooms;rent,note\nGraz,3,4.5,a\nLinz,1,2.5,b\n',
      { city: 'Graz', rooms: 3, rent: 4.5 },
      'another separator parts names in it',
    ],
    [
      'a name less: an index of numbers',
      'city,rooms,rent\n"1","Graz",3,700\n"2","Linz",1,500\n',
      { city: 'Graz', rooms: 3, rent: 700 },
      'the first column is read as an index without a name',
    ],
    [
      'a name less: an index of texts',
      'mpg,cyl,disp\nMazda,21,6,160\nDatsun,22.8,4,108\n',
      { column: 'Mazda', mpg: 21, cyl: 6 },
      'the first column is read as an index without a name',
    ],
    [
      'a name less: an index beside numbers of two digits',
      'cyl,gear\nMazda,6,16\nDatsun,4,12\n',
      { column: 'Mazda', cyl: 6, gear: 16 },
      'the first column is read as an index without a name',
    ],
    [
      'other separators than the rows',
      'city;rooms;rent\nGraz,3,700\n"Linz; at the river",1,500\n',
      { city: 'Graz', rooms: 3, rent: 700 },
      'another separator parts names in it',
    ],
    [
      'spaces in place of separators',
      'city "rooms" rent\nGraz,3,700\nLinz,1,500\n',
      { city: 'Graz', rooms: 3, rent: 700 },
      'another separator parts names in it',
    ],
  ])('with %s is said', async (_, content, first, why) => {
    const { records, refused, said } = await load(content);
    expect(records[0]).toMatchObject(first);
    expect([records.length, refused]).toEqual([2, []]);
    expect(said.join()).toMatch(new RegExp(`the row of names has \\d cells?, most rows have \\d: ${why}`));
  });

  it.each([
    ['of a price', 'name,price,note\nTea,1,50,x\nRye,2,5,y\n', '1,50'],
    ['of a price behind an id', 'id,name,price\n1,Tea,4,20\n2,Rye,3,90\n', '4,20'],
  ])('with a name less, since commas cut the numbers %s, lets no row pass', async (_, content, number) => {
    const { records, refused, said } = await load(content);
    expect([records, refused]).toEqual([[], ['2: expected 3 cells, found 4']]);
    expect(said.join()).toContain(`the comma of "${number}" seems to be decimal, and needs quotes around the number`);
  });

  it.each([
    ['before a name', 'city,"rooms,rent', 'city,rooms,rent'],
    ['before the first name, with others in quotes', '"city,"rooms","rent"', 'city,rooms,rent'],
    ['before the last name', 'city,rooms,"rent', 'city,rooms,rent'],
    ['inside of a name', 'city,"roo"ms,rent', 'city,rooms,rent'],
  ])('with a quote too many %s is read without its quotes', async (_, names, expected) => {
    for (const rows of ['Graz,3,700\nLinz,1,500\n', '"Graz","3, or 4",700\n"Linz","1, or 2",500\n']) {
      const [first, right] = [await load(`${names}\n${rows}`), await load(`${expected}\n${rows}`)];
      expect(first.records).toEqual(right.records);
      expect([right.records.length, first.refused]).toEqual([2, []]);
      expect(first.said).toContain('a quote is missing in the row of names, or one too many: its quotes are left out');
    }
  });

  it('is missing where the first row holds values as the others do: columns are called by their places', async () => {
    const { records, said } = await load('28/01/2018,Boots,$74.69\n29/01/2018,Jacket for the time,$29.81\n');
    expect(records).toEqual([
      { column1: '2018-01-28T00:00:00Z', column2: 'Boots', column3: 74.69 },
      { column1: '2018-01-29T00:00:00Z', column2: 'Jacket for the time', column3: 29.81 },
    ]);
    expect(said.join()).toMatch(
      /the file has no row of column names: its columns are called column 1 to column 3; .*first row of names/,
    );
    const mapped = await loadFiles(
      {
        'things.csv': 'Lamp,5.50,10\nVase,6.50,12\n',
        'things.mapping.json': '{"column 2": "price", "column 3": "stock"}',
      },
      { as: 'things', columns: 'all' },
    );
    expect(mapped.models.get('things')?.fields.map(({ name }) => name)).toEqual(['id', 'price', 'column1', 'stock']);
    const addresses = await load('https://s.test/1\nhttps://s.test/2\n');
    expect(addresses.records).toHaveLength(2);
  });

  it.each([
    ['months', 'city,2024-01,2024-02\nGraz,700,720\nLinz,500,510\n'],
    ['numbers beside an exact name', 'name,1,2\nGraz,7,8\nLinz,5,6\n'],
    ['years', 'city,2023,2024\nGraz,7000,2020\nLinz,5000,2021\n'],
  ])('may hold %s', async (_, content) => {
    const { records, said } = await load(content);
    expect([records.length, said]).toEqual([2, []]);
  });

  it('is no row of values, whatever words these hold', async () => {
    const { records, said } = await load(
      'Prices of the day\n\n1,Tea with a name,4.20\n2,Cup,5.00\n3,Pot of note,6.00\n',
    );
    expect([records.length, said.length > 0]).not.toEqual([2, false]);
  });

  it('with a name less than rows that end in an empty cell is said', async () => {
    const { said } = await load('city,roomsrent\nGraz,3,\nLinz,1,\n');
    expect(said).toEqual(['the row of names has 2 cells, most rows have 3: empty cells at their end are no columns']);
  });

  it('of a list of one column is its first row', async () => {
    const { records, said } = await load('city\nGraz\nLinz\n');
    expect(records.map(({ city }) => city)).toEqual(['Graz', 'Linz']);
    expect(said).toEqual(['the first row, "city", is read as the name of the only column']);
  });

  it('may go on below, where it has gaps and the next row stands over numbers', async () => {
    const { records, said } = await load('city,,rent\n,rooms,net\nGraz,3,700\nLinz,1,500\n');
    expect(records[0]).toEqual({ city: 'Graz', rooms: 3, rentNet: 700 });
    expect([records.length, said]).toEqual([2, ['the column names stand on lines 1 to 2, one below the other']]);
    const texts = await load('city,,rent\nGraz,old,low\nLinz,new,high\n');
    expect(texts.records.map(({ city }) => city)).toEqual(['Graz', 'Linz']);
  });

  it('may be separated by spaces, as all rows are', async () => {
    const { records, refused } = await load('city rooms rent\nGraz 3 700\n"Bad Ischl" 1 500\n');
    expect(records).toEqual([
      { city: 'Graz', rooms: 3, rent: 700 },
      { city: 'Bad Ischl', rooms: 1, rent: 500 },
    ]);
    expect(refused).toEqual([]);
    const prose = await load('name of the thing\na small red pot\nan old green cup here\n');
    expect(prose.records).toHaveLength(2);
  });

  it('with a name less is no index where the first values repeat, or rows are ragged', async () => {
    const repeated = await load('day,timeqty,price\n2020,10:00,3,4.5\n2020,11:00,4,5.5\n');
    expect([repeated.records, repeated.refused]).toEqual([[], ['2: expected 3 cells, found 4']]);
    const ragged = await load('name,price,brand,note\nLamp,5,Acme,fine\nVase,6\nCup,8,Gam,ok,\nJug,9,Del,ok,x\n');
    expect(ragged.records).toEqual([{ title: 'Lamp', price: 5, brand: 'Acme', note: 'fine' }]);
  });

  it('without a first name may still have it by a mapping, or be told by its values', async () => {
    const guessed = await loadFiles({ 'products.csv': ',price,stock\nLamp,5,1\nVase,6,2\nBowl,7,3\n' });
    expect(guessed.records.map((values) => values[1])).toEqual(['Lamp', 'Vase', 'Bowl']);
    const mapped = await loadFiles({
      'products.csv': ',name,price\nOak stool,a,12.5\nElm,b,3\n',
      'products.mapping.json': '{"": "title"}',
    });
    expect(mapped.records.map((values) => values[1])).toEqual(['Oak stool', 'Elm']);
  });
});

describe('other quotes', () => {
  it('single ones, where more rows can be read by them', async () => {
    const { records, refused, said } = await load(
      "id,name,price\n1,'Tea, green',4.20\n2,'Cup ''n'' \"pot\"',5.00\n3,Bowl,1\n",
    );
    expect(records.map(({ title }) => title)).toEqual(['Tea, green', 'Cup \'n\' "pot"', 'Bowl']);
    expect([refused, said]).toEqual([[], ["cells of this file stand in single quotes: ' is read as a quote"]]);
    const plain = await load("id,name,price\n1,'tis a pot,4.20\n2,rock 'n' roll,5.00\n3,'90s,2\n");
    expect(plain.records.map(({ title }) => title)).toEqual(["'tis a pot", "rock 'n' roll", "'90s"]);
  });

  it('single ones may have apostrophes inside, but no row takes the next', async () => {
    const head = "id,name,price\n1,'Tea, green',4\n2,'Men's, don't',5\n3,'All, of it',6\n";
    const { records, refused } = await load(`${head}4,'Cup' tall,7\n5,'Pot, old',8\n`);
    expect(records.map(({ title }) => title)).toEqual(['Tea, green', "Men's, don't", 'All, of it', 'Pot, old']);
    expect(refused).toEqual([`5: expected a separator behind the closing quote of cell 2, found "tall"`]);
  });

  it('behind spaces', async () => {
    const { records, refused } = await load(
      'name, price, desc\nLamp, 5, "short round"\nVase, 6, "tall, thin"\nBowl, 7, low\n',
    );
    expect(records.map(({ desc }) => desc)).toEqual(['short round', 'tall, thin', 'low']);
    expect(refused).toEqual([]);
    const inside = await load('name,desc\nLamp, "short" round\nVase,tall\n');
    expect(inside.records[0]).toMatchObject({ desc: expect.stringContaining('"short" round') });
    // A row that is broken in any case says nothing of the separator: the others' spaces stay.
    const broken = await load('name,price,author\nLamp,5, \nVase, "tall\n');
    expect(broken.records.map(({ title, author }) => [title, author])).toEqual([['Lamp', ' ']]);
    expect(broken.refused).toHaveLength(1);
  });
});

describe('another table in the file', () => {
  const first = 'name,price,stock\nTea,4.20,5\nCup,5.00,7\n';
  const reason = (line: number, names: string) =>
    `another table begins on line ${line}, with the names ${names}: put it into a file of its own`;

  it.each([
    ['of another width', 'city,rent\nGraz,700\nLinz,650\n', 'city, rent'],
    ['of the same width', 'city,rent,area\nGraz,700,50\n', 'city, rent, area'],
  ])('%s is refused by one reason, and its names are no values', async (_, second, names) => {
    const { records, refused } = await load(`${first}\n${second}`);
    expect(records).toEqual([
      { title: 'Tea', price: 4.2, stock: 5 },
      { title: 'Cup', price: 5, stock: 7 },
    ]);
    expect(refused).toEqual([`5: ${reason(5, names)}`]);
  });

  it('ends where rows of the first table go on', async () => {
    const { records } = await load(`${first}\ncity,rent\nGraz,700\n\nPot,6.00,3\n`);
    expect(records.map(({ title }) => title)).toEqual(['Tea', 'Cup', 'Pot']);
  });

  it.each([
    ['without an empty line before them', 'Pot,sold out,none\n'],
    ['of which one has a number', '\nPot,6.00,none\n'],
    ['of which one is missing', '\nPot,sold out,\n'],
  ])('is not what texts %s show', async (_, rows) => {
    const { records, refused } = await load(`${first}${rows}`);
    expect([records.length, refused]).toEqual([3, []]);
  });
});

test('a row that draws a line is refused; hyphens for missing values are none', async () => {
  const { records, refused } = await load('name|price|stock\n-----|:---:|---\nTea|4.20|-\nCup|-|-\n');
  expect(records.map(({ title }) => title)).toEqual(['Tea', 'Cup']);
  expect(refused).toEqual(['2: the row holds lines in place of values']);
});

describe('rare ways to write a table', () => {
  it.each([':', '^', '~', '\u0001'])('cells that %j separates, where all rows have as many', async (sign) => {
    const rows = [
      ['name', 'price', 'stock'],
      ['Tea', '4.20', '5'],
      ['Cup', '5.00', '7'],
    ];
    const { records } = await load(`${rows.map((cells) => cells.join(sign)).join('\n')}\n`);
    expect(records).toEqual([
      { title: 'Tea', price: 4.2, stock: 5 },
      { title: 'Cup', price: 5, stock: 7 },
    ]);
  });

  it('single quotes around all cells, though no separator stands in them', async () => {
    const { records, said } = await load("'name';'price'\n'Tea';'4.20'\n'Cup';'5.00'\n");
    expect(records).toEqual([
      { title: 'Tea', price: 4.2 },
      { title: 'Cup', price: 5 },
    ]);
    expect(said).toEqual(["cells of this file stand in single quotes: ' is read as a quote"]);
  });

  it('and neighbours: apostrophes of texts are no quotes', async () => {
    const { records } = await load("name;note\n'n Sync;it's\nRock 'n' Roll;don't\n");
    expect(records.map(({ title }) => title)).toEqual(["'n Sync", "Rock 'n' Roll"]);
  });
});
