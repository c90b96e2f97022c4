/** The decisions about a file's fields that change once all of its records are known. */
import { type CollectionModel, type Field, isFound, isNumeric } from '../../model.js';
import { count, quote } from '../../text.js';
import type { OpenedFile } from '../open-file.js';
import type { NumberSpelling } from '../profile/spelling-proofs.js';
import { KIND_TEXTS } from '../report/findings.js';
import type { Spellings } from './spellings.js';

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
  const ids = before.opened.hasIds && !after.opened.hasIds ? ['ids are codes, and given by position'] : [];
  const ofFields = after.model.fields.flatMap((field): readonly string[] => {
    const { name } = field;
    const earlierField = before.model.fields.find((one) => isSameColumn(one, field));
    if (earlierField === undefined) return [`${name} has its first value behind them`];
    const hasMoney = after.spellings.signs.some((column) => column.name === name && column.hasMoney);
    const earlierTexts = decisionTexts(before, earlierField, hasMoney);
    return decisionTexts(after, field, hasMoney).flatMap((text, i) => {
      const earlierText = earlierTexts[i];
      const areBoth = text !== undefined && earlierText !== undefined;
      return areBoth && text !== earlierText ? [`${name} is ${text}, not ${earlierText}`] : [];
    });
  });
  return [...ids, ...ofFields];
}

const isSameColumn = (a: Field, b: Field): boolean =>
  isFound(a) === isFound(b) &&
  (isFound(a) ? String(a.sourcePath) === String(b.sourcePath) && a.part === b.part : a.name === b.name);

/** The kind, the unit, the source, the order of dates and the decimal sign of a field; undefined where it has none. */
function decisionTexts({ opened: { plan }, spellings }: Decisions, field: Field, hasMoney: boolean) {
  const { name, kind, unit = '', isPercent = plan.forms.get(name) === 'percent' } = field;
  const unitText = unit === '' ? 'without a unit' : `of the unit ${quote(unit)}`;
  const sign = spellings.signs.find((column) => column.name === name);
  return [
    KIND_TEXTS[kind],
    isNumeric(kind) ? (isPercent ? 'of percentages' : unitText) : undefined,
    `from ${plan.fed.get(name)?.text ?? 'its own column'}`,
    spellings.dates.find((column) => column.name === name)?.order,
    sign && decimalsText(sign, hasMoney),
  ];
}

/** A point that is proven is read as one that is not, but for amounts of money: `€1.599` is 1599 without proof. */
function decimalsText({ sign }: NumberSpelling, hasMoney: boolean): string {
  if (sign === 'comma') return 'of decimal commas';
  return sign === 'point' || !hasMoney ? 'of decimal points' : 'of thousands in money';
}
