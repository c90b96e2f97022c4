/** Names of members, and paths into the values of a record: `title.rendered`, `variants[0].price`, `breadcrumbs[-2]`. */

import { partsOf } from './texts.js';

/** Names are compared by their letters and digits alone: `Num-Comments`, `num_comments` and `numComments` are one. */
export const nameKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The words of a name, in lower case: `customerReviewAverage` has three. */
export const wordsOfName = (name: string): readonly string[] =>
  name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The name itself, else one of the same letters and digits. */
export function nameLike(names: readonly string[], wanted: string): string | undefined {
  if (names.includes(wanted)) return wanted;
  const key = nameKey(wanted);
  return key === '' ? undefined : names.find((name) => nameKey(name) === key);
}

/** A member's name, or an element's position; negative ones count from the end. */
export type PathStep = string | number;
export type Path = readonly PathStep[];

const PATH = /^[^.[\]]+(?:\[-?\d*\])*(?:\.[^.[\]]+(?:\[-?\d*\])*)*$/;

/** The path that a text spells; undefined where it spells none. `[]` stands for every element, which needs no step. */
export function parsePath(text: string): Path | undefined {
  if (!PATH.test(text)) return undefined;
  const path: PathStep[] = [];
  for (const [part, position] of text.matchAll(/\[(-?\d*)\]|[^.[\]]+/g)) {
    if (position === undefined) path.push(part);
    else if (position !== '') path.push(Number(position));
  }
  return path;
}

/** `offers[0].price`, as mappings and reports name it. */
export const pathText = (path: Path): string =>
  path
    .map((step, i) => {
      if (typeof step === 'number') return `[${step}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join('');

/** Tells paths apart that are spelt alike: the member `a.b`, and `b` of the member `a`. */
export const pathKey = (path: Path): string => JSON.stringify(path);

export const areSamePaths = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((step, i) => step === other[i]);

/**
 * The value at a path; undefined where there is none. Some dumps write one value where others write a list of one, so:
 *
 *     tags.name   of {"tags": [{"name": "a"}, {"name": "b"}]}   ["a", "b"]: a name on a list is looked up in each element
 *     tags[0]     of {"tags": "a"}                              "a": the first or last element of a scalar is itself
 *     tags.name   of {"tags": "a"}                              "a": the last name on a scalar is the scalar itself
 *
 * A list of one is read as its element, unless `wantsLists`.
 */
export function valueAtPath(value: unknown, path: Path, wantsLists = false, from = 0): unknown {
  let at = value;
  for (let i = from; i < path.length; i++) {
    const step = path[i]!;
    if (at === null || at === undefined) return undefined;
    if (typeof step === 'number') at = elementAt(at, step);
    else if (Array.isArray(at)) return valueOfElements(at, path, wantsLists, i);
    else if (typeof at === 'object') at = memberOf(at, step);
    else if (i < path.length - 1) return undefined;
  }
  return at;
}

function valueOfElements(values: readonly unknown[], path: Path, wantsLists: boolean, from: number): unknown {
  if (values.length === 1 && !wantsLists) return valueAtPath(values[0], path, wantsLists, from);
  const elementValues = values.flatMap((value) => valueAtPath(value, path, wantsLists, from) ?? []);
  return elementValues.length === 0 ? undefined : elementValues;
}

function elementAt(value: unknown, position: number): unknown {
  if (Array.isArray(value)) return value.at(position);
  if (typeof value === 'string') {
    if (position < 0) return crumbsOf(value).at(position);
    const address = position === 0 ? firstAddress(value) : undefined;
    if (address !== undefined) return address;
  }
  return position === 0 || position === -1 ? value : undefined;
}

/** The first of several addresses in a text. An address may hold a separator: `https://a.example/1,2.jpg, https://a.example/2.jpg`. */
function firstAddress(text: string): string | undefined {
  const from = /^\s*(?=https?:\/\/)/.exec(text)?.[0].length;
  if (from === undefined) return undefined;
  const next = text.slice(from).search(/[\s,;|]https?:\/\//);
  // A text with one address has no first of several.
  if (next < 0) return undefined;
  let end = from + next;
  while (/[\s,;|]/.test(text.charAt(end - 1))) end--;
  const first = text.slice(from, end);
  return /\s/.test(first) ? undefined : first;
}

export const holdsAddresses = (text: string): boolean => firstAddress(text) !== undefined;

export function memberOf(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** The parts of `Home > Books > Poetry`; a text without a separator is one part. */
export function crumbsOf(text: string): readonly string[] {
  const separator = [' > ', ' › ', ' » ', ' / ', ' | ', '>', '›', '»'].find((sign) => text.includes(sign));
  return partsOf(text, separator ?? '>');
}

export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a name may stand in a query, an expression and a path as it is, in letters of any script. */
export const isIdentifier = (name: string): boolean => /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u.test(name);
