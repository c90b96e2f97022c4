/** The decisions about a file's fields that change once all of its records are known. */
import { type CollectionModel, type Field, isFound, isNumeric } from '../../model.js';
import { count, quote } from '../../text.js';
import type { OpenedFile } from '../open-file.js';
import { KIND_TEXTS } from '../report/findings.js';
import type { NumberSpelling, Spellings } from './spellings.js';

/** The decisions about a file: as a plan of it, and the fields of its collection, have them. */
export interface Decisions {
  readonly opened: OpenedFile;
  readonly model: CollectionModel;
  readonly spellings: Spellings;
}

const MAX_LISTED_DIFFERENCES = 6;

/** A line on the fields that are read otherwise; undefined where all decisions stay. */
export function differenceLine(before: Decisions, after: Decisions): string | undefined {
  const texts = differences(before, after);
  if (texts.length === 0) return undefined;
  const more =
    texts.length > MAX_LISTED_DIFFERENCES ? `; ${count(texts.length - MAX_LISTED_DIFFERENCES, 'field')} more` : '';
  return `read twice, since later records decide otherwise than the first: ${texts.slice(0, MAX_LISTED_DIFFERENCES).join('; ')}${more}`;
}

function differences(before: Decisions, after: Decisions): readonly string[] {
  const fields = after.model.fields.flatMap((field): readonly string[] => {
    const earlier = before.model.fields.find((one) => isSameColumn(one, field));
    if (earlier === undefined) return [`${field.name} has its first value behind them`];
    const { kind, name } = field;
    return [
      ...(kind === earlier.kind ? [] : [`${name} is ${KIND_TEXTS[kind]}, not ${KIND_TEXTS[earlier.kind]}`]),
      ...(isNumeric(kind) ? unitDifferences(before, after, earlier, field) : []),
      ...(feedOf(before, name) === feedOf(after, name) ? [] : [`${name} is read from another column`]),
    ];
  });
  const ids = before.opened.hasIds && !after.opened.hasIds ? ['ids are codes, and given by position'] : [];
  return [...ids, ...fields, ...spellingDifferences(before.spellings, after.spellings)];
}

const isSameColumn = (a: Field, b: Field): boolean =>
  isFound(a) === isFound(b) &&
  (isFound(a) ? String(a.sourcePath) === String(b.sourcePath) && a.part === b.part : a.name === b.name);

function unitDifferences(before: Decisions, after: Decisions, earlier: Field, field: Field): readonly string[] {
  const { name, unit = '' } = field;
  const arePercent = isPercent(after, field);
  return [
    ...(isPercent(before, earlier) === arePercent ? [] : [`${name} has ${arePercent ? '' : 'no '}percentages`]),
    ...(unit === (earlier.unit ?? '')
      ? []
      : [`${name} has numbers ${unit === '' ? 'without a unit' : `with the unit ${quote(unit)}`}`]),
  ];
}

const isPercent = ({ opened: { plan } }: Decisions, { name, isPercent: isFoundPercent }: Field): boolean =>
  isFoundPercent === true || plan.forms.get(name) === 'percent';

/** The column that feeds a documented field. */
const feedOf = ({ opened: { plan } }: Decisions, name: string): string | undefined => plan.fed.get(name)?.text;

function spellingDifferences(before: Spellings, after: Spellings): readonly string[] {
  const dates = after.dates.flatMap(({ name, order }) => {
    const earlier = before.dates.find((one) => one.name === name);
    return earlier === undefined || earlier.order === order
      ? []
      : [`${name} has the ${order === 'day first' ? 'day' : 'month'} first`];
  });
  const signs = after.signs.flatMap((column) => {
    const earlier = before.signs.find(({ name }) => name === column.name);
    return earlier === undefined || areReadAlike(earlier, column) ? [] : [`${column.name} has ${spelledSigns(column)}`];
  });
  return [...dates, ...signs];
}

/** A point that is proven is read as one that is not, but for amounts of money: `€1.599` is 1599 without proof. */
const areReadAlike = (earlier: NumberSpelling, later: NumberSpelling): boolean =>
  earlier.sign === later.sign || (earlier.sign !== 'comma' && later.sign !== 'comma' && !later.hasMoney);

function spelledSigns({ sign, proofs }: NumberSpelling): string {
  if (sign === 'comma') return 'decimal commas';
  return sign === undefined && 'comma' in proofs ? 'decimal commas and points' : 'decimal points';
}
