/** The currencies of a column of prices and the scales of a column of ratings. Nothing is converted: the report names them where they are several. */
import { currencyIn } from './numbers.js';

/** Per currency or scale the number of values that have it, the commonest first. */
export type Counts = readonly (readonly [name: string, values: number])[];

/** The currencies of a column of prices: `$`, `€`, `CHF`; values without one are not counted. */
export const currenciesOf = (values: readonly unknown[]): Counts =>
  countsOf(values.flatMap((value) => (typeof value === 'string' ? (currencyIn(value) ?? []) : [])));

const OUT_OF_SCALE = /\d\s*(?:out\s+of|of|\/|von|sur|de|su)\s*(\d+)/i;
const STARS = /^[★☆]+$/;

/**
 * The scales of a column of ratings: `4/5`, `9.1/10`, `90%`, `★★★★☆`. Plain numbers have one scale together, unless another value names
 * its scale, or most are at most 5 and some above 10: then each is counted by its size.
 */
export function scalesOf(values: readonly unknown[]): Counts {
  const named = values.flatMap((value) => namedScale(value) ?? []);
  const plain = values.filter((value) => value !== '' && Number.isFinite(Number(value))).map(Number);
  const stars = plain.filter((value) => value <= 5).length;
  const isMixed = named.length > 0 || (stars >= plain.length / 2 && plain.some((value) => value > 10));
  const scaleOf = (value: number): string => (value <= 5 ? '5' : value <= 10 ? '10' : '100');
  return countsOf([...named, ...plain.map((value) => (isMixed ? scaleOf(value) : 'plain'))]);
}

/** The scale that a value itself names. */
export function namedScale(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text.endsWith('%')) return '100';
  return STARS.test(text) ? '5' : OUT_OF_SCALE.exec(text)?.[1];
}

function countsOf(names: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

export const scaleCountsText = (counts: Counts, nameText: (name: string) => string): string =>
  counts.map(([name, values]) => `${nameText(name)} ${values}`).join(', ');
