/** Faults of rows in CSV: a row that lost or gained a separator is refused, and takes no other row with it. */
import { describe, expect, it, test } from 'vitest';
import { loadFiles } from './support/load.js';

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
  return { records: named, refused, said: file?.notes ?? [], fault };
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

  it.each(['12" vinyl,5\'10" tall', '12"x14",10"', '3.5",5.25"', 'a "b" c,d'])(
    'is not what inches show: %s',
    async (row) => {
      const { records, refused } = await load(`name,size\nPot,4\n${row}\n`);
      expect([records.length, refused]).toEqual([2, []]);
    },
  );
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
  },
);

test('a name that stands there twice has a number the second time', async () => {
  const { records } = await load('name,stock,name,stock,name2\nTea,3,Green,4,x\nRye,4,Dark,5,y\n');
  expect(records[0]).toEqual({ title: 'Tea', stock: 3, name3: 'Green', stock2: 4, name2: 'x' });
});

test('a last quote that never closes is told, and the records before it are served where partial files are', async () => {
  const content = 'id,name\n1,a\n2,"b\n3,c\n';
  expect((await load(content)).fault).toMatch(
    /^things\.csv:3: the file ends inside .*; --partial serves the 1 record before it$/,
  );
  const { records, refused } = await load(content, { isPartial: true });
  expect(records).toEqual([{ title: 'a' }]);
  expect(refused[0]).toMatch(/^3: the file ends inside a quoted cell/);
});
