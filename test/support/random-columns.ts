/** Random dumps of a user's own columns, beside the records that are served of them: any names, kinds, gaps, misfits, lists and paths. */
import fc from 'fast-check';

export type Kind = 'integer' | 'number' | 'date' | 'boolean' | 'text' | 'code' | 'texts' | 'codes' | 'json';
export type Plain = Readonly<Record<string, unknown>>;

/** A value as the dump has it, and as it is served. */
interface Pair {
  readonly raw: unknown;
  readonly served: unknown;
}
const asItCame = (...values: readonly unknown[]): readonly Pair[] =>
  values.map((value) => ({ raw: value, served: value }));
const readAs = (raw: unknown, served: unknown): Pair => ({ raw, served });

/** Few distinct values, so that ties and empty results are common. The first one decides what the column is. */
const VALUES: Readonly<Record<Kind, readonly Pair[]>> = {
  integer: [...asItCame(3, 0, -3, 7), readAs('7', 7), readAs(' 12 ', 12)],
  number: [...asItCame(2.25, -0.5, 0, 1000), readAs('€ 12.50', 12.5), readAs('1000', 1000)],
  date: [
    readAs('2024-01-31', '2024-01-31T00:00:00Z'),
    readAs('2024-01-31T23:59:59Z', '2024-01-31T23:59:59Z'),
    readAs('2024-02-01T14:00:00+02:00', '2024-02-01T12:00:00Z'),
    readAs('1969-12-31', '1969-12-31T00:00:00Z'),
  ],
  boolean: [...asItCame(true, false), readAs('true', true), readAs('FALSE', false)],
  text: [
    ...asItCame(
      'red tea',
      'Acme works',
      'acme WORKS',
      'Élan quartz',
      '=zebra quartz',
      "'=zebra quartz",
      '-5 zebra',
      'tea  pot',
    ),
    ...asItCame('["tea"]', ''),
    readAs('R&amp;D of "tea",\nzebra', 'R&D of "tea",\nzebra'),
    readAs(5, '5'),
  ],
  code: asItCame('A-1', 'a-1', '978-3-16', 'x_9', 'https://a.example/1', '0049', '=1', '@a1'),
  texts: [...asItCame(['Red', 'blue'], ['red']), readAs(['Tea pot', '=x', 'R&amp;D'], ['Tea pot', '=x', 'R&D'])],
  codes: asItCame(['S1', 'M2'], ['s1'], ['=1']),
  json: asItCame([{ a: 1 }], [{ a: '=1', b: [null, true] }, 'x'], { c: 'R&amp;D' }, 'x', '5', 5, true),
};
export const kinds = Object.keys(VALUES) as readonly Kind[];
export const isList = (kind: Kind): boolean => kind === 'texts' || kind === 'codes';
/** Whether the kind has ranges: of numbers or times. */
export const isOrdered = (kind: Kind): boolean => kind === 'integer' || kind === 'number' || kind === 'date';

const GAPS: readonly unknown[] = [null, undefined, 'N/A'];
const MISFIT = 'what is it';

export interface DumpColumn {
  /** Where records of the dump have its values. */
  readonly path: readonly string[];
  readonly name: string;
  readonly kind: Kind;
}
export interface Dump {
  /** The name of the collection, which the file has as well. */
  readonly collection: 'products' | 'flats';
  readonly columns: readonly DumpColumn[];
  /** The records of the dump. */
  readonly source: readonly object[];
  /** The same as they are served, with all fields. */
  readonly records: readonly Plain[];
}

/** Paths of which the API makes other names, besides those that are identifiers. */
const PATHS: readonly (readonly [path: readonly string[], name: string])[] = [
  [['brand'], 'brand'],
  [['größe'], 'größe'],
  [['在庫'], '在庫'],
  [['list-weight'], 'listWeight'],
  [['page'], 'page2'],
  [['constructor'], 'constructor'],
  [['specs', 'width'], 'specsWidth'],
  [['specs', 'box', 'unit cm'], 'specsBoxUnitCm'],
];
const paths = fc.oneof(
  fc.constantFrom(...PATHS),
  // No usual name of a documented field begins so.
  fc.stringMatching(/^x[a-z\d_]{1,6}[a-zé]$/).map((name) => [[name], name] as const),
);

const MIN_ROWS = 13;
const rowCount = fc.integer({ min: MIN_ROWS, max: 40 });

/** The values of a column: of every three one is missing, and of many one is a misfit, which is served as null. */
const valuesOf = (kind: Kind, size: number): fc.Arbitrary<readonly Pair[]> => {
  const gap = fc.constantFrom(...GAPS).map((raw) => readAs(raw, null));
  const value = fc.constantFrom(...VALUES[kind]);
  const [first = readAs(null, null)] = VALUES[kind];
  const mayMisfit = isOrdered(kind) || kind === 'boolean';
  return fc
    .record({
      // A column is what at least nine of ten sampled values are; JSON keeps every value as it came.
      some: fc.array(fc.oneof({ weight: 2, arbitrary: value }, { weight: 1, arbitrary: gap }), {
        minLength: size - MIN_ROWS,
        maxLength: size - MIN_ROWS,
      }),
      misfits: fc.boolean(),
    })
    .map(({ some, misfits }) => {
      const all = [...Array<Pair>(MIN_ROWS - 1).fill(first), ...some];
      const last = misfits && mayMisfit ? readAs(MISFIT, null) : first;
      return [...all, last].map((pair) => (kind === 'json' && pair.raw === 'N/A' ? readAs(null, null) : pair));
    });
};

function setAt(record: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) record[first] = value;
  else {
    const inner = { ...(record[first] as Record<string, unknown> | undefined) };
    setAt(inner, rest, value);
    record[first] = inner;
  }
}

const NO_PRODUCT_FIELDS = { author: null, price: 1, imageUrl: null, rating: null, category: null };

export const dumps: fc.Arbitrary<Dump> = fc
  .record({
    collection: fc.constantFrom('products', 'flats'),
    named: fc.uniqueArray(paths, { minLength: 1, maxLength: 5, selector: ([, name]) => name }),
    size: rowCount,
  })
  .chain(({ collection, named, size }) => {
    const column = ([path, name]: (typeof named)[number]) =>
      fc
        .constantFrom(...kinds)
        .chain((kind) => valuesOf(kind, size).map((values) => ({ column: { path, name, kind }, values })));
    return fc.tuple(...named.map(column)).map((filled): Dump => {
      const isOwn = collection === 'flats';
      const documented = (i: number, and: string) => ({ id: i + 1, title: `Thing ${i} ${and}` });
      const source = Array.from({ length: size }, (_, i) => {
        const record: Record<string, unknown> = { ...documented(i, '&amp; more'), ...(!isOwn && { price: 1 }) };
        for (const {
          column: { path },
          values,
        } of filled)
          setAt(record, path, values[i]?.raw);
        return record;
      });
      const columns = inOrderOf(
        source,
        filled.map(({ column: each }) => each),
      );
      const records = Array.from({ length: size }, (_, i) => {
        const members = columns.flatMap((each) => {
          const served = filled.find((one) => one.column === each)?.values[i]?.served ?? null;
          // A list that a record lacks is left out.
          return served === null && isList(each.kind) ? [] : [[each.name, served] as const];
        });
        const found = Object.fromEntries(members);
        // Nothing is inherited: a record may lack a column `constructor`.
        return Object.assign(Object.create(null), documented(i, '& more'), isOwn ? {} : NO_PRODUCT_FIELDS, found);
      });
      return { collection, columns, source, records };
    });
  });

/** The columns as they first stand in the dump: those of one object side by side. */
function inOrderOf(source: readonly object[], columns: readonly DumpColumn[]): readonly DumpColumn[] {
  const [first = {}] = source;
  const tops = Object.keys(first);
  const place = ({ path: [top = ''] }: DumpColumn) => tops.indexOf(top);
  return columns.toSorted((a, b) => place(a) - place(b));
}

export const fileOf = ({ collection, source }: Dump): Readonly<Record<string, string>> => ({
  [`${collection}.json`]: JSON.stringify(source),
});
