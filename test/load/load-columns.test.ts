/** What a column of a dump is served as: for each kind of column one that is decided otherwise, and its neighbours, which stay. */
import { describe, expect, it, test } from 'vitest';
import { linesOf, loadFiles } from '../support/load.js';

const TOLD_KINDS: readonly string[] = ['date-order', 'calendar', 'time-zone', 'decimal-sign', 'repeated-names'];

/** The fields of a file with their kinds, and each record's values by their names; blank fields are left out. */
async function served(file: string, content: string) {
  const { result, records, models, files } = await loadFiles({ [file]: content }, { columns: 'all' });
  const model = models.get(files[0]?.collection ?? '');
  const told = result.ok ? linesOf(result.report, (kind) => TOLD_KINDS.includes(kind)) : [];
  const columns = (model?.fields ?? []).map(({ name, kind, splitBy }, i) => ({
    ...{ name, kind, splitBy, values: records.map((record) => record[i]) },
  }));
  const filled = columns.filter(({ name, values }) => name !== 'id' && values.some((value) => value !== null));
  return { model, told, fields: new Map(filled.map((column) => [column.name, column])) };
}

const cellOf = (value: string): string => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** A file of CSV with titles and one column. */
const csvOf = (column: string, values: readonly string[]): string =>
  [`title,${column}`, ...values.map((value, i) => `Thing ${i},${cellOf(value)}`)].join('\n');

describe('a column of CSV', () => {
  it.each<[column: string, values: readonly string[], kind: string, expected: readonly unknown[], splitBy?: string]>([
    ['moods', ['red|blue', 'green|black', 'white'], 'text', ['red|blue', 'green|black', 'white'], '|'],
    ['moods', ['red,blue', 'blue', 'green,red,blue'], 'text', ['red,blue', 'blue', 'green,red,blue'], ','],
    ['related', ['A-1;A-2', 'A-3', 'A-4;A-5;A-6'], 'text', ['A-1;A-2', 'A-3', 'A-4;A-5;A-6'], ';'],
    ['note', ['Warm; dry', 'Cold; wet', 'Mild'], 'text', ['Warm; dry', 'Cold; wet', 'Mild']],
    ['place', ['52.5,13.4', '48.1,11.5'], 'code', ['52.5,13.4', '48.1,11.5']],
    ['site', ['https://a.test/x;y', 'https://a.test/x|z'], 'code', ['https://a.test/x;y', 'https://a.test/x|z']],
    [
      'artists',
      ["['Serge', 'James']", "['Ann']", `['Bo', "D'Arby"]`],
      'texts',
      [['Serge', 'James'], ['Ann'], ['Bo', "D'Arby"]],
    ],
    ['artists', ['[sic] Serge', 'James'], 'text', ['[sic] Serge', 'James']],
    ['saved', ['-20%', '15 %', '+5%'], 'number', [-20, 15, 5]],
    ['pay', ['€40.000 – 55.000', '€38.500'], 'number', [40_000, 38_500]],
    ['pay', ['40.000 – €55.000', '€38.500'], 'number', [40_000, 38_500]],
    ['pay', ['100 - $200', '$300'], 'number', [100, 300]],
    ['ids', ['123,456,789', '111,222,333'], 'text', ['123,456,789', '111,222,333']],
    ['related_ids', ['1,2', '3, 4', '5'], 'text', ['1,2', '3, 4', '5']],
    ['views', ['123,456,789', '1,222,333'], 'number', [123_456_789, 1_222_333]],
    ['lon', ['74.0060 W', '73.5 W'], 'text', ['74.0060 W', '73.5 W']],
    ['power', ['740.5 W', '73.5 W'], 'number', [740.5, 73.5]],
    ['offer', ['5 - 10 €', '$10 - $18'], 'number', [5, 10]],
    ['installs', ['10K+', '1M+', '5B+'], 'integer', [10_000, 1_000_000, 5_000_000_000]],
    ['sqft', ['1,234 sqft', '--', '900 sqft'], 'integer', [1234, null, 900]],
    ['code', ['="00123"', '="00124"'], 'code', ['00123', '00124']],
    ['size', ['\u200b12\u200b', '\u200e7', '3\u2060 '], 'integer', [12, 7, 3]],
    ['mood', ['\u200bcalm\ufeff', '👨\u200d👩\u200d👧 at home'], 'text', ['calm', '👨\u200d👩\u200d👧 at home']],
    ['hit_rate', ['.485', '.512', '-.4'], 'number', [0.485, 0.512, -0.4]],
    ['people', ['48.085.361', '8.584.147', '..', '***', 'n.d.'], 'number', [48_085_361, 8_584_147, null, null, null]],
    ['cap', ['$1.33T', '$28.5B', '$612.4M', '-$2B'], 'number', [1.33e12, 2.85e10, 612_400_000, -2e9]],
    ['seat', ['12B', '14T'], 'code', ['12B', '14T']],
    ['margin', ['±1,234', '±88'], 'integer', [1234, 88]],
    ['fee', ['1 299 kr', '499:-', '99:90'], 'number', [1299, 499, 99.9]],
    ['fee', ['15,000 руб.', '900 руб.'], 'number', [15_000, 900]],
    ['fee', ['Rs. 15,000', 'Rs. 1,25,000'], 'number', [15_000, 125_000]],
    ['fee', ['15,000 kr. inkl. moms', '2,500 kr.'], 'number', [15_000, 2500]],
    ['fee', ['$8.1e-06', '$0.5', '$3E-7'], 'number', [0.0000081, 0.5, 3e-7]],
    ['lot', ['1e5', 'A7'], 'code', ['1e5', 'A7']],
    ['charge', ['12E5', '13E2', '1E1'], 'code', ['12E5', '13E2', '1E1']],
    ['karat', ['14K', '18K', '9K'], 'code', ['14K', '18K', '9K']],
    ['pencil', ['2B', '4B', '6B'], 'code', ['2B', '4B', '6B']],
    ['followers', ['3M', '12M'], 'integer', [3_000_000, 12_000_000]],
    ['reach', ['900K', '3M'], 'integer', [900_000, 3_000_000]],
    ['reach', ['3.5M', '12M'], 'integer', [3_500_000, 12_000_000]],
    ['reach', ['7', '12K'], 'integer', [7, 12_000]],
    ['context', ['50K', '128K'], 'integer', [50_000, 128_000]],
    ['raised', ['5M', '10M'], 'integer', [5_000_000, 10_000_000]],
    ['population', ['1e6', '2e6'], 'number', [1e6, 2e6]],
    ['traffic_mobile', ['55', '44'], 'integer', [55, 44]],
    ['delta', ['+12345678', '+23456789'], 'integer', [12_345_678, 23_456_789]],
    ['total_ids', ['1,234', '2,000'], 'number', [1234, 2000]],
    ['version', ['3.10', '3.11', '3.12'], 'code', ['3.10', '3.11', '3.12']],
    ['hs_code', ['8471.30', '8471.41'], 'code', ['8471.30', '8471.41']],
    ['margin', ['3.10', '3.11', '3.12'], 'number', [3.1, 3.11, 3.12]],
    ['isbn13', ['9780439023480.0', '9780316015840.0'], 'number', [9780439023480, 9780316015840]],
    ['contact', ['+4930123456', '+43123456789'], 'code', ['+4930123456', '+43123456789']],
    ['change', ['+5', '-3', '+12345678'], 'integer', [5, -3, 12_345_678]],
    ['account_balance', ['12.50', '3.75'], 'number', [12.5, 3.75]],
    ['account_age', ['12 days', '7 days'], 'integer', [12, 7]],
    ['siren', ['552 100 554', '123 456 789'], 'code', ['552 100 554', '123 456 789']],
    ['residents', ['552 100', '1 234 567'], 'number', [552_100, 1_234_567]],
    ['start', ['9.30 Uhr', '20.00 Uhr'], 'text', ['9.30 Uhr', '20.00 Uhr']],
    ['umsatz', ['1,2 M€', '900 k€', '45 k€'], 'number', [1_200_000, 900_000, 45_000]],
    ['reign', ['-0044-03-15', '0079-10-24'], 'code', ['-0044-03-15', '0079-10-24']],
    ['start', ['12:50', '9:30', '18:15'], 'code', ['12:50', '9:30', '18:15']],
    ['barcode', ['4.00638E+12', '4.00639E+12'], 'code', ['4.00638E+12', '4.00639E+12']],
    ['people', ['1.4E+10', '3.3E+8'], 'number', [1.4e10, 3.3e8]],
    ['quantity', ['1/2', ...'3456789012'], 'integer', [null, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2]],
    ['share', ['1/2', '3/4'], 'code', ['1/2', '3/4']],
    [
      'lng',
      ['13.404.954', '-127.758', '9.5', '9.7', '8.1', '8', '8', '8', '8', '8'],
      'number',
      [null, -127.758, 9.5, 9.7, 8.1, 8, 8, 8, 8, 8],
    ],
    ['seen', ['٢٠٢٤/٠٣/٠١'], 'date', ['2024-03-01T00:00:00Z']],
    ['lat', ['52.520', '48.1'], 'number', [52.52, 48.1]],
    ['release', ['52.520', '48.1'], 'code', ['52.520', '48.1']],
    ['chapter', ['01.10', '02.5'], 'code', ['01.10', '02.5']],
    ['share', ['0.10', '0.25'], 'number', [0.1, 0.25]],
    ['depth', ['−5', '12,000', '-3'], 'number', [-5, 12_000, -3]],
    ['share', ['1,5%', '12,25%', '0,125%'], 'number', [1.5, 12.25, 0.125]],
    ['views', ['900', '850', '700', '1.2k'], 'integer', [900, 850, 700, 1200]],
    ['flat', ['12', '12B', '14', '15'], 'code', ['12', '12B', '14', '15']],
    ['moods', ['[" a","a "]', '["a","b\\t"]', '["c d"]'], 'texts', [['a', 'a'], ['a', 'b'], ['c d']]],
    ['skus', ['[" A-1","A-2 "]', '["A-1"]'], 'codes', [['A-1', 'A-2'], ['A-1']]],
  ])('%s of %j', async (column, values, kind, expected, splitBy) => {
    const { fields } = await served('things.csv', csvOf(column, values));
    expect(fields.get(column)).toEqual({ name: column, kind, splitBy, values: expected });
  });

  it('has no white space around its values, also where the file may be an export', async () => {
    const { fields } = await served('things.csv', 'id,title,sku,brand\n1,Tea, A-1, Acme Co\n2,Pot,A-1 ,Acme Co \n');
    expect(fields.get('sku')?.values).toEqual(['A-1', 'A-1']);
    expect(fields.get('brand')?.values).toEqual(['Acme Co', 'Acme Co']);
  });
});

test('a name tells columns of digits that are codes from those that are numbers', async () => {
  const kinds = {
    code: [
      ...['plz', 'PLZ', 'zip', 'zip_code', 'zipcode', 'postal_code', 'postalCode', 'code postal', 'codigo_postal'],
      ...['cep', 'phone', 'phone_number', 'Telefon', 'Artikelnummer', 'ean', 'isbn13', 'product_sku'],
    ],
    integer: ['zip_count', 'codes_used', 'phones', 'number', 'user_id', 'house_number', 'year', 'zipped'],
  };
  const names = Object.values(kinds).flat();
  const csv = [['title', ...names], ...['10115', '80331'].map((value, i) => [`Thing ${i}`, ...names.map(() => value)])];
  const [, first = [], second = []] = csv;
  const json = [first, second].map(([title, ...values]) => ({
    title,
    ...Object.fromEntries(values.map((value, i) => [names[i], Number(value)])),
  }));
  for (const [file, content] of [
    ['things.csv', csv.join('\n')],
    ['things.json', JSON.stringify(json)],
  ] as const) {
    const { models, fault } = await loadFiles({ [file]: content }, { columns: 'all', strict: true });
    expect(fault).toBeUndefined();
    const fields = models.get('things')?.fields.filter(({ sourcePath }) => sourcePath !== undefined) ?? [];
    for (const [kind, expected] of Object.entries(kinds))
      expect(fields.filter((field) => field.kind === kind).map(({ sourcePath }) => sourcePath?.join())).toEqual(
        expected,
      );
  }
});

test('a coordinate has no thousands, whatever prices beside it prove', async () => {
  const { fields, told } = await served(
    'things.csv',
    'title,fee,lat,stock\nA,1.299.000,52.520,1.234\nB,5.000,13.405,2.345\n',
  );
  expect(fields.get('lat')?.values).toEqual([52.52, 13.405]);
  expect(fields.get('stock')?.values).toEqual([1234, 2345]);
  expect(told.join()).not.toContain('lat');
});

test('a comma in a coordinate is the decimal sign, beside points as well', async () => {
  const { fields, told } = await served(
    'places.csv',
    'title;lat;lng;stock\nA;48,1374;11,575;1,234\nB;48,137;-9,125;2,345\nC;47.999;11.5;3,456\n',
  );
  expect(fields.get('lat')?.values).toEqual([48.1374, 48.137, 47.999]);
  expect(fields.get('lng')?.values).toEqual([11.575, -9.125, 11.5]);
  expect(fields.get('stock')?.values).toEqual([1234, 2345, 3456]);
  expect(told.join()).not.toContain('lat');
});

describe('a number of more digits than a double has', () => {
  const OTHERS = ['9007199254740993.5', '0.1234567890123456789', '0.333333333333333333333'];
  const KEPT = ['0.30000000000000004', '123456789.123456', '1.10000000000000000000', '4503599627370496.5'];
  const dumpsOf = (values: readonly string[]) =>
    [
      ['things.csv', csvOf('x', values)],
      ['things.json', `[${values.map((v, i) => `{"title":"Thing ${i}","x":${v}}`)}]`],
      ['things.json', `[${values.map((v, i) => `{"title":"Thing ${i}","o":[{"price":${v}}],"x":{"value":${v}}}`)}]`],
    ] as const;
  const repairsIn = async (values: readonly string[]) =>
    Promise.all(
      dumpsOf(values).map(async ([file, content]) => {
        const { files } = await loadFiles({ [file]: content }, { columns: 'all' });
        return files[0]?.fields.flatMap(({ repaired, repairs }) => (repaired > 0 ? [[repaired, repairs[0]?.raw]] : []));
      }),
    );

  it('is told with its digits, from CSV and JSON', async () => {
    const told = [OTHERS.length, JSON.stringify(OTHERS[0])];
    expect(await repairsIn(OTHERS)).toEqual([[told], [told], [told]]);
  });

  it('is none where the double has all of them', async () => {
    const [csv, ...json] = await repairsIn(KEPT);
    expect([csv, ...json]).toEqual([[], [], []]);
  });
});

describe('a column of JSON', () => {
  it.each<[values: readonly unknown[], kind: string, expected?: readonly unknown[]]>([
    [[false, 'perhaps', true], 'text', ['false', 'perhaps', 'true']],
    [[1, 'perhaps'], 'text', ['1', 'perhaps']],
    [[[true, false], [true]], 'json'],
    [[[1, 'x', null, true], ['y']], 'json'],
    [[['x', null], ['y']], 'texts', [['x'], ['y']]],
  ])('of %j', async (values, kind, expected) => {
    const { fields } = await served('things.json', JSON.stringify(values.map((v, i) => ({ title: `Thing ${i}`, v }))));
    expect(fields.get('v')?.kind ?? 'json').toBe(kind);
    if (expected !== undefined) expect(fields.get('v')?.values).toEqual(expected);
  });

  it('that a documented text has, of false, is missing', async () => {
    const dump = JSON.stringify([
      { title: 'A', score: 1, author: false },
      { title: 'B', score: 2, author: 'Ada' },
    ]);
    const { fields } = await served('articles.json', dump);
    expect(fields.get('author')?.values).toEqual([null, 'Ada']);
  });
});

describe('the order of day and month', () => {
  const days = async (header: string, ...rows: readonly string[]) => {
    const { fields, told } = await served('things.csv', [`title,${header}`, ...rows].join('\n'));
    const dates = [...fields].flatMap(([name, { kind, values }]) => (kind === 'date' ? [[name, values[0]]] : []));
    return { dates: Object.fromEntries(dates), told };
  };

  it('is that of other columns only where they prove the same', async () => {
    const { dates, told } = await days(
      'us,eu,seen',
      'A,01/13/2023,13/01/2023,02/03/2023',
      'B,01/14/2023,14/01/2023,03/04/2023',
    );
    expect(dates.seen).toBe('2023-02-03T00:00:00Z');
    expect(told).toEqual([expect.stringMatching(/^seen: no date shows whether day or month stands first/)]);
  });

  it('is that of two columns which prove the same', async () => {
    const { dates, told } = await days(
      'a,b,seen',
      'A,13/01/2023,13/01/2023,02/03/2023',
      'B,14/01/2023,14/01/2023,03/04/2023',
    );
    expect(dates.seen).toBe('2023-03-02T00:00:00Z');
    expect(told).toEqual(['seen: read as day/month, as "13/01/2023" shows']);
  });

  it('of short dates is proved as that of long ones', async () => {
    const { dates, told } = await days('seen', 'A,02/01/24', 'B,13/01/24', 'C,04/01/24');
    expect(dates.seen).toBe('2024-01-02T00:00:00Z');
    expect(told).toEqual(['seen: read as day/month, as "13/01/24" shows']);
  });

  it('of short dates that may begin with the year is not guessed', async () => {
    const { dates } = await days('seen', 'A,24/03/05', 'B,24/03/06', 'C,24/03/07');
    expect(dates).toEqual({});
  });
});

describe('the decimal sign', () => {
  const told = async (...texts: readonly string[]) =>
    (await served('things.csv', csvOf('size_no', texts))).told.map((line) => line.replace('size_no: ', ''));

  it('that nothing proves is told', async () => {
    expect(await told('1,234', '987')).toEqual([
      'no value shows whether commas or points are decimal; the comma of "1,234" separates thousands',
    ]);
    expect(await told('1.234 kg', '987 kg')).toEqual([
      'no value shows whether commas or points are decimal; the point of "1.234 kg" is decimal',
    ]);
  });

  it('of amounts that may be prices of a share is told', async () => {
    expect(await told('€101.234', '€99.876')).toEqual([
      'no value shows whether commas or points are decimal; the point of "€101.234" separates thousands',
    ]);
    expect(await told('€101.500', '€99.999')).toEqual([]);
  });

  it('of amounts that may be prices of a litre is told', async () => {
    expect(await told('$3.459', '$3.599')).toEqual([
      'no value shows whether commas or points are decimal; the point of "$3.459" separates thousands',
    ]);
  });

  it.each([
    [
      'amounts of money',
      'make;price;way\nA;9.990 €;123.456 km\nB;19.990 €;85.000 km',
      [123_456, 85_000],
      'the point of "123.456 km" separates thousands, as "9.990 €" of this file shows',
    ],
    [
      'another column with a unit',
      'make;price;way\nA;12,50 €;2,500 km\nB;9,99 €;1,200 km',
      [2.5, 1.2],
      'the comma of "2,500 km" is decimal, as "12,50 €" of this file shows',
    ],
    [
      'semicolons',
      'make;way\nA;1,759\nB;1,699',
      [1.759, 1.699],
      'the comma of "1,759" is decimal, since semicolons separate the cells',
    ],
    [
      'no semicolons, if a value has no comma',
      'make;way\nA;1,234\nB;987',
      [1234, 987],
      'no value shows whether commas or points are decimal; the comma of "1,234" separates thousands',
    ],
    [
      'no money of three decimals',
      'make;fee;way\nA;1.250 KWD;1.234\nB;12.500 KWD;2.345',
      [1.234, 2.345],
      'no value shows whether commas or points are decimal; the point of "1.234" is decimal',
    ],
    ['no semicolons, if a column has points', 'make;fee;way\nA;4.50;1,759\nB;3.25;1,699', [1759, 1699], undefined],
  ])('is told by %s', async (_, csv, values, line) => {
    const { told, fields } = await served('things.csv', csv);
    expect(fields.get('way')?.values).toEqual(values);
    expect(told).toEqual(line === undefined ? [] : [`way: ${line}`]);
  });

  it('of which both occur is told', async () => {
    expect(await told('1.299,00', '1,299.00', '1.299')).toEqual([
      'both decimal commas ("1.299,00") and decimal points ("1,299.00"); the point of "1.299" is decimal',
    ]);
  });

  it.each([
    ['no other value', ['1,29', '12,50', '1,299'], '1,29', '1,299'],
    ['no other amount of money', ['1,29 €', '1,299 €', '12,50 €'], '1,29 €', '1,299 €'],
  ])('before three decimals, where %s has three, is told', async (_, texts, proof, third) => {
    const line = `the comma of "${third}", which may separate thousands, is decimal, as "${proof}" shows`;
    expect(await told(...texts)).toEqual([line]);
  });

  it('before three decimals behind the sample is told', async () => {
    const sampled = Array.from({ length: 1000 }, (_, i) => `${i},50 €`);
    expect(await told(...sampled, '1,299 €')).toEqual([
      'the comma of "1,299 €", which may separate thousands, is decimal, as "0,50 €" shows',
    ]);
  });

  it.each([
    ['4,50', '4.50', 'no value shows whether commas or points are decimal; the comma of "1,250" separates thousands'],
    ['4,50', '4,5', 'the comma of "1,250" is decimal, as "4,50" of this file shows'],
    ['4.50', '4.5', undefined],
  ])('of another column is that which %s and %s prove', async (price, fee, line) => {
    const { told } = await served('products.csv', `title,price,fee,sold\nA,"${price}","${fee}","1,250"\n`);
    expect(told).toEqual(line === undefined ? [] : [`sold: ${line}`]);
  });

  it.each(['rating', 'lat'])('is the comma of another column, if %s has one', async (column) => {
    const { told, fields } = await served('things.csv', `title,${column},sold\nA,"4,5","1,250"\nB,"3,5","2,500"\n`);
    expect(fields.get('sold')?.values).toEqual([1.25, 2.5]);
    expect(told).toEqual(['sold: the comma of "1,250" is decimal, as "4,5" of this file shows']);
    const points = await served('things.csv', `title,${column},sold\nA,4.5,"1,250"\nB,3.5,"2,500"\n`);
    expect(points.fields.get('sold')?.values).toEqual([1250, 2500]);
    expect(points.told).toHaveLength(1);
  });

  it.each([
    [['1,234', '1,234,567']],
    [['1,29', '0,299', '1,299']],
    [['1,2', '1,299']],
    [['1,29', '1.299']],
    [['1.29', '1.299']],
    [['1,234', '12.5']],
    [['$1,234', '$987']],
    [['1.299 €', '987 €']],
    [['12', '987']],
    [['0.125', '0.250']],
  ])('of %j needs no word', async (texts) => expect(await told(...texts)).toEqual([]));

  it.each([
    ['of money is no thousand where the column proves it', ['€1.65', '€1.599', '€1.7'], [1.65, 1.599, 1.7]],
    ['nor where thousands have commas', ['$3.49', '$3.459', '"$1,299.00"'], [3.49, 3.459, 1299]],
    ['but is one before a dash for the cents', ['€3.49', '"€1.299,-"', '"1.499,–"'], [3.49, 1299, 1499]],
    ['and else it is one', ['1.299 €', '987 €', '12 €'], [1299, 987, 12]],
    ['but of a currency with three decimals', ['1.250 KWD', '12.500 KWD'], [1.25, 12.5]],
    ['and where both signs are proven', ['3.49 €', '1.299 €', '"3,45 €"'], [3.49, 1299, 3.45]],
  ])('point before three digits %s', async (_, prices, expected) => {
    const rows = prices.map((price, i) => `A${i},${price}`);
    const { fields } = await served('products.csv', `title,price\n${rows.join('\n')}\n`);
    expect(fields.get('price')?.values).toEqual(expected);
  });

  it('of a rating may be a comma before three digits', async () => {
    const rows = 'title,price,rating\nA,"12,50","4,125"\nB,"9,99",4.25\nC,"1.299,00","3,8"\n';
    expect((await served('products.csv', rows)).fields.get('rating')?.values).toEqual([4.125, 4.25, 3.8]);
  });
});

it.each<[string, readonly object[], readonly number[]]>([
  [
    'is minor units',
    [
      { amount: 1299, precision: 2 },
      { amount: 13, precision: 2 },
    ],
    [12.99, 0.13],
  ],
  [
    'is none where another is a decimal',
    [
      { amount: 13, precision: 2 },
      { amount: 12.99, precision: 2 },
    ],
    [13, 12.99],
  ],
  [
    'in a text is a decimal too',
    [
      { amount: 13, scale: 2 },
      { amount: '12.99', scale: 2 },
    ],
    [13, 12.99],
  ],
  [
    'has a divisor beside a decimal',
    [
      { amount: 13, divisor: 100 },
      { amount: 12.99, divisor: 100 },
    ],
    [13, 12.99],
  ],
  ['says its scale once', [{ amount: 1299, scale: 2 }, { amount: 5 }, { amount: 12.5 }], [1299, 5, 12.5]],
  ['stands beside a decimal price', [{ amount: 1299, scale: 2, price: 12.99 }], [12.99]],
  ['is minor units in a text', [{ amount: '1299', precision: 2 }], [12.99]],
  ['of cents says its digits', [{ centAmount: 1999, fractionDigits: 2 }], [19.99]],
  ['of yen has none', [{ price: '1999', currency_minor_unit: 0 }], [1999]],
])('an amount of whole numbers %s', async (_, amounts, prices) => {
  const records = amounts.map((amount, i) => ({ title: `T${i}`, price: { ...amount, currencyCode: 'EUR' } }));
  const { fields } = await served('products.json', JSON.stringify(records));
  expect(fields.get('price')?.values).toEqual(prices);
});

it.each<[string, string, readonly unknown[]]>([
  ['of minor units is read where a text spells it', '{"Amount":1299,"FormattedPrice":"$12.99"}', [12.99]],
  ['of other units than its text stays', '{"Amount":12.99,"FormattedPrice":"$12.99"}', [12.99]],
  ['beside another amount stays', '{"amount":1299,"shipping":"$4.99"}', [1299]],
  ['beside the one before stays', '{"amount":1000,"was":"$10"}', [1000]],
])('a price %s', async (_, price, prices) => {
  const { fields } = await served('products.json', `[{"title":"Tea","price":${price}}]`);
  expect(fields.get('price')?.values).toEqual(prices);
});

test('prices of WooCommerce are minor units', async () => {
  const prices = { price: '1999', regular_price: '2499', currency_code: 'EUR', currency_minor_unit: 2 };
  const { fields } = await served('products.json', JSON.stringify([{ name: 'Tea', prices }]));
  expect(fields.get('price')?.values).toEqual([19.99]);
});

it.each<[string, string, readonly string[], readonly number[], string | undefined]>([
  ['whole beside groups', ',', ['1.299', '999', '450'], [1299, 999, 450], 'as in prices without decimals'],
  ['of a litre beside few digits', ',', ['1.859', '2', '1.759'], [1.859, 2, 1.759], undefined],
  ['whole beside decimals', ',', ['1.299', '999', '4.5'], [1.299, 999, 4.5], undefined],
  ['of a litre', ';', ['1,859 €', '1,799 €'], [1.859, 1.799], 'since semicolons separate the cells'],
  ['of four digits with a sign before', ';', ['$1,859', '$1,799'], [1859, 1799], undefined],
  ['of five digits', ';', ['12,859 €', '1,799 €'], [12_859, 1799], undefined],
  ['below one franc', ';', ['–.95', '3.50'], [0.95, 3.5], undefined],
])('prices %s', async (_, separator, prices, expected, why) => {
  // The decimal point of another column proves nothing of these.
  const weight = separator === ',' ? ',0.150' : '';
  const rows = prices.map((price) => `Tea${separator}${price}${weight}`);
  const names = `title${separator}price${weight && ',weight'}`;
  const { fields, told } = await served('products.csv', [names, ...rows].join('\n'));
  expect(fields.get('price')?.values).toEqual(expected);
  expect(told.some((line) => line.startsWith('price:'))).toBe(why !== undefined);
  if (why !== undefined) expect(told.join()).toContain(why);
});

it.each([
  ['price_amount,price_currency,price_precision', '1299,EUR,2', undefined],
  ['price_amount,price_currency,price_precision', '1299,JPY,0', [1299]],
  ['price,currency,scale', '25,EUR,43', [25]],
  ['price_incl_vat', '1.50', [1.5]],
  ['price_amount,price_currency,price_precision', '12.99,EUR,2', [12.99]],
  ['amount,currency,scale', '1299,EUR,2', undefined],
  ['price,list_precision', '1299,2', [1299]],
])('a price is none of minor units whose scale stands beside it: %s of %s', async (names, row, prices) => {
  const { fields } = await served(
    'products.csv',
    `title,rating,image,${names}\nTea,4,/tea.jpg,${row}\nRye,5,/rye.jpg${row.replace(/[^,]+/g, '').replace(/^/, ',')}\n`,
  );
  expect(fields.get('price')?.values).toEqual(prices && [...prices, null]);
});

it.each(['price_amount_micros', 'price_in_pence', 'Preis (ct)', 'Price (kEUR)'])(
  'a column whose name tells minor units or a scale is no price: %s',
  async (name) => {
    const { fields } = await served(
      'products.csv',
      `title,rating,image,${name}\nTea,4,/tea.jpg,450\nRye,5,/rye.jpg,525\n`,
    );
    expect(fields.get('price')).toBeUndefined();
  },
);

it('amounts in minor units have those of their currencies, which stay', async () => {
  const prices = [
    { amount: 1250, currency: 'EUR', scale: 2 },
    { amount: 999, currency: 'JPY', scale: 0 },
    { amount: 5, currency: 'USD' },
  ];
  const { fields } = await served(
    'products.json',
    JSON.stringify(prices.map((price, i) => ({ title: `T${i}`, price }))),
  );
  expect([...fields].map(([name, { values }]) => [name, values])).toEqual([
    ['title', ['T0', 'T1', 'T2']],
    ['price', [12.5, 999, 5]],
    ['priceCurrency', ['EUR', 'JPY', 'USD']],
  ]);
});

describe('dates with points', () => {
  it.each([
    [['03.15.2024', '04.02.2024'], ['2024-03-15', '2024-04-02'], 'read as month.day, as "03.15.2024" shows'],
    [
      ['13.04.2024', '04.13.2024', '01.02.2024'],
      ['2024-04-13', null, '2024-02-01'],
      'both day.month ("13.04.2024") and month.day ("04.13.2024"), which is left null',
    ],
    [['13.04.2024', '04.02.2024'], ['2024-04-13', '2024-02-04'], undefined],
    [['04.02.2024', '05.02.2024'], ['2024-02-04', '2024-02-05'], undefined],
  ])('%j', async (dates, days, line) => {
    const { told, fields } = await served('things.csv', csvOf('seen', dates));
    expect(fields.get('seen')?.values).toEqual(days.map((day) => day && `${day}T00:00:00Z`));
    expect(told).toEqual(line === undefined ? [] : [`seen: ${line}`]);
  });

  it.each([
    ...['.', '/', '-'].map((sign) => [
      [`24${sign}03${sign}04`, `24${sign}12${sign}31`, `23${sign}11${sign}15`],
      ['2024-03-04', '2024-12-31', '2023-11-15'],
      [`date: read with the year first, as the dates beside "24${sign}03${sign}04" show`],
    ]),
    [
      ['85.03.24', '99.12.05'],
      ['1985-03-24', '1999-12-05'],
      ['date: read with the year first, as the dates beside "85.03.24" show'],
    ],
    [
      ['24.03.04', '24.12.05'],
      ['2004-03-24', '2005-12-24'],
      ['date: no date shows whether day or year stands first; "24.03.04" is read as day.month.year'],
    ],
    [['24.03.04', '12.05.04', '01.01.05'], ['2004-03-24', '2004-05-12', '2005-01-01'], []],
    [['24.03.85', '24.12.99', '23.11.70'], ['1985-03-24', '1999-12-24', '1970-11-23'], []],
    [
      ['01/02/12', '01/03/28', '01/04/07'],
      ['2012-01-02', '2028-01-03', '2007-01-04'],
      ['date: no date shows whether day or month stands first; read as month/day'],
    ],
  ])('and years of two digits: %j', async (dates, days, lines) => {
    const { told, fields } = await served('articles.csv', csvOf('date', dates));
    expect(fields.get('date')?.values).toEqual(days.map((day) => `${day}T00:00:00Z`));
    expect(told.map((line) => line.replace(/; \{.*/, ''))).toEqual(lines);
  });
});

describe('times', () => {
  it.each([
    ['Europe/Berlin', '2024-03-05 10:30', true],
    ['Europe/Berlin', '2024-03-05T10:30:00+01:00', false],
    ['Berlin', '2024-03-05 10:30', false],
    ['and/or', '2024-03-05 10:30', false],
  ])('beside %s: whether the zone of %s is doubtful: %s', async (zone, time, isDoubtful) => {
    const content = `title,zone,seen\nA,${zone},${time}\nB,${zone},${time}`;
    const { told } = await served('things.csv', content);
    const line = `seen: times without a zone, such as "${time}", are read as UTC, whatever "zone" says`;
    expect(told).toEqual(isDoubtful ? [line] : []);
  });
});

describe('a calendar', () => {
  it.each([
    [1403, ['1403-05-12', '1402-11-03']],
    [2566, ['12 Mar 2566', '5 Jan 2567']],
    [1445, ['1445/09/12', '1445/10/01']],
    [2567, ['2567-01-05T10:00:00Z', '2566-03-05T10:00:00Z']],
    [1403, ['1403-02-05', '2024-01-05', '2024-02-05', '2024-02-09']],
  ])('that is not ours is told of %i in %j', async (year, dates) => {
    const { told } = await served('things.csv', csvOf('seen', dates));
    const line = `seen: read by the Gregorian calendar, though years such as ${year} may be Persian, Islamic or Buddhist`;
    expect(told).toEqual([line]);
  });

  it('that is not ours is told of a single date behind the first records', async () => {
    const { told } = await served(
      'things.csv',
      csvOf('seen', [...Array<string>(1100).fill('2024-02-09'), '1403-02-05']),
    );
    expect(told.join()).toContain('years such as 1403');
  });

  it.each([
    [['1403-05-12', '1811-11-03', '1901-01-31']],
    [['9999-12-31', '9999-12-31']],
    [['2024-01-05', '2567-01-05']],
    [['5 มกราคม 2567', '12 มี.ค. 2566']],
  ])('needs no word for %j', async (dates) => {
    expect((await served('things.csv', csvOf('seen', dates))).told).toEqual([]);
  });
});

describe('a name', () => {
  it('of a member may be spelt as a path to another one', async () => {
    const records = [
      { title: 'A', 'a.b': '1,299', a: { b: '1.299' }, 'price.value': 5, price: { value: 7 } },
      { title: 'B', 'a.b': '1,5', a: { b: '2.75' }, 'price.value': 6, price: { value: 8 } },
    ];
    const { fields } = await served('products.json', JSON.stringify(records));
    expect([...fields].map(([name, { values }]) => [name, values])).toEqual([
      ['title', ['A', 'B']],
      ['price', [7, 8]],
      ['aB', [1.299, 1.5]],
      ['aB2', [1.299, 2.75]],
      ['priceValue', [5, 6]],
    ]);
  });

  it('that stands twice in an object has its last value, which is told', async () => {
    const twice = '{"title":"A","price":1,"price":2,"o":{"x":1,"y":0}},{"title":"B","price":3,"o":{"x":1,"y":0,"x":2}}';
    const { told, fields } = await served('products.json', `[${twice}]`);
    expect(fields.get('price')?.values).toEqual([2, 3]);
    expect(fields.get('oX')?.values).toEqual([1, 2]);
    expect(told).toEqual([
      'only the last value is read of names that stand in an object more than once: price (1 record), o.x (1 record)',
    ]);
  });
});

describe('a documented field', () => {
  const fieldsOf = async (header: string, ...rows: readonly string[]) =>
    (await served('products.csv', [header, ...rows].join('\n'))).fields;

  it('of addresses is fed by addresses', async () => {
    const fields = await fieldsOf(
      'title,image,photo',
      'A,red shoe,https://i.test/1.jpg',
      'B,blue shoe,https://i.test/2.jpg',
    );
    expect(fields.get('imageUrl')?.values).toEqual(['https://i.test/1.jpg', 'https://i.test/2.jpg']);
    expect(fields.get('image')?.values).toEqual(['red shoe', 'blue shoe']);
  });

  it.each([
    [['lamp.jpg', 'red lamp.jpg']],
    [['i/1', 'i/2']],
    [['none', 'https://i.test/2.jpg']],
    [["data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='9'/>", 'DATA:image/png;base64,AA AA']],
    [['https://i.test/a red lamp', '//i.test/two red lamps']],
  ])('of addresses is fed by %j', async (images) => {
    const fields = await fieldsOf('title,image', ...images.map((image, i) => `Thing ${i},${cellOf(image)}`));
    expect(fields.get('imageUrl')?.values).toEqual(images);
  });

  it.each([[['note: red shoe', 'data: red shoe']], [['red shoe', 'blue shoe // left']]])(
    'of addresses is not fed by %j',
    async (images) => {
      const fields = await fieldsOf('title,image', ...images.map((image, i) => `Thing ${i},${cellOf(image)}`));
      expect([fields.has('imageUrl'), fields.get('image')?.values]).toEqual([false, images]);
    },
  );

  it('of pictures is not guessed from the mark of a shop', async () => {
    const rows = ['A', 'B', 'C'].map((title) => `${title},https://s.test/mark.png`);
    expect((await fieldsOf('title,shop', ...rows)).has('imageUrl')).toBe(false);
    const pictures = ['A', 'B', 'C'].map((title) => `${title},https://s.test/${title}.png`);
    expect((await fieldsOf('title,shop', ...pictures)).has('imageUrl')).toBe(true);
  });

  it('of ratings is guessed from a score with decimals, and from no count', async () => {
    expect((await fieldsOf('title,price,score', 'A,1,4.65', 'B,2,3.2')).get('rating')?.values).toEqual([4.65, 3.2]);
    expect((await fieldsOf('title,price,score', 'A,1,120', 'B,2,7')).has('rating')).toBe(false);
  });

  it('of titles is not guessed from measures', async () => {
    const rows = ['"4,740 sqft",3 bds,£1', '"1,200 sqft",4 bds,£2', '900 sqft,Studio,£3', '950 sqft,2 bds,£4'];
    const { fields, model } = await served('homes.csv', ['space,beds,price', ...rows].join('\n'));
    expect([model?.name, fields.has('title')]).toEqual(['homes', false]);
    expect(fields.get('space')?.values).toEqual([4740, 1200, 900, 950]);
  });
});
