/** What a column's sampled values are counted in: the currencies of prices, the scales of ratings. Nothing is converted: where there are several, the report says so. */
import { currencyIn } from './numbers.js';

/** How many values have each, the commonest first. */
export type Counts = readonly (readonly [name: string, values: number])[];

/** The currencies of a column of prices: `$`, `€`, `CHF`; values without one are not counted. */
export const currenciesOf = (values: readonly unknown[]): Counts =>
  countsOf(values.flatMap((value) => (typeof value === 'string' ? (currencyIn(value) ?? []) : [])));

const OUT_OF = /\d\s*(?:out\s+of|of|\/|von|sur|de|su)\s*(\d+)/i;
const STARS = /^[★☆]+$/;

/** The scales of a column of ratings: `4/5`, `9.1/10`, `90%`, `★★★★☆`; plain numbers have one of their own, by the largest. */
export function scalesOf(values: readonly unknown[]): Counts {
  const plain = values.filter((value) => value !== '' && Number.isFinite(Number(value))).map(Number);
  const largest = plain.reduce((max, value) => Math.max(max, value), 0);
  const plainScale = largest <= 5 ? '5' : largest <= 10 ? '10' : '100';
  return countsOf([...plain.map(() => plainScale), ...values.flatMap((value) => namedScale(value) ?? [])]);
}

function namedScale(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text.endsWith('%')) return '100';
  return STARS.test(text) ? String(text.length) : OUT_OF.exec(text)?.[1];
}

function countsOf(names: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

export const countsText = (counts: Counts, nameText: (name: string) => string): string =>
  counts.map(([name, values]) => `${nameText(name)} ${values}`).join(', ');
