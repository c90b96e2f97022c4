/**
 * How a file spells the dates and numbers of each field: which of day and month comes first, and whether the comma is the decimal sign.
 * A column's own proof decides, else that of another column of the file.
 */
import { type CollectionModel, type Field, ID_FIELD, isNumeric } from '../../model.js';
import type { OpenedFile } from '../open-file.js';
import { ColumnProfile } from '../profile/column-profile.js';
import { type DateSpelling, dateOrders, decimalSigns, type NumberSpelling } from '../profile/spelling-proofs.js';
import { areSamePaths, type Path } from '../values/paths.js';
import { type CellContext, haveNoThousands } from '../values/values.js';
import { columnProfileOf, type FilePlan } from './plan.js';

/** The documented field that a path feeds. */
const documentedAt = ({ fed, model }: FilePlan, path: Path): Field | undefined =>
  model.fields.find(({ name }) => areSamePaths(fed.get(name)?.path ?? [], path));

export interface Spellings {
  /** Per field of dates. */
  readonly dates: readonly DateSpelling[];
  /** Per field of numbers but ids, ratings and coordinates. */
  readonly signs: readonly NumberSpelling[];
  /** Per field of currencies, by its position, the name that each spelling of one has. */
  readonly currencies: ReadonlyMap<number, ReadonlyMap<string, string>>;
}

export const NO_SPELLINGS: Spellings = { dates: [], signs: [], currencies: new Map() };

/** How the cells of a field are spelt, as far as the file shows it. */
export function spellingOfField(
  { dates, signs, currencies }: Spellings,
  index: number,
): Pick<CellContext, 'decimalSign' | 'currencyNames'> & Partial<Pick<CellContext, 'dateOrder'>> {
  const date = dates.find((column) => column.index === index);
  return {
    ...(date && { dateOrder: date.order }),
    decimalSign: signs.find((column) => column.index === index)?.sign,
    currencyNames: currencies.get(index),
  };
}

const NO_PROFILE = new ColumnProfile([]);

/** How a file spells the dates and numbers of each field. One that proves nothing follows another column of the file. */
export function spellingsOf(model: CollectionModel, { plan, mapping, layout }: OpenedFile): Spellings {
  const profileOf = (field: Field): ColumnProfile => {
    const fieldAtPath = field.sourcePath && documentedAt(plan, field.sourcePath);
    return columnProfileOf(plan, field) ?? plan.profileOf(fieldAtPath) ?? NO_PROFILE;
  };
  const columns = model.fields.map((field, index) => ({ field, index, name: field.name }));
  const dates = columns.filter(({ field }) => field.kind === 'date');
  const numbers = columns.filter(({ field, index }) => isNumeric(field.kind) && index !== ID_FIELD);
  const withThousands = numbers.filter(({ field }) => !haveNoThousands(field));
  const withoutThousands = numbers.filter(({ field }) => haveNoThousands(field));
  return {
    currencies: new Map(
      columns.flatMap(({ field, index }) =>
        field.part === 'currency' ? [[index, profileOf(field).amounts.currencyNames] as const] : [],
      ),
    ),
    dates: dateOrders(
      dates.map(({ field, ...column }) => ({ ...column, proofs: profileOf(field).orders })),
      mapping.dayFirst,
    ),
    signs: decimalSigns(
      withThousands.map(({ field, ...column }) => {
        const { signs, amounts } = profileOf(field);
        return { ...column, proofs: signs, isPrice: field.role === 'price', hasMoney: amounts.money > 0 };
      }),
      withoutThousands.map(({ field }) => profileOf(field).signs),
      'dialect' in layout && layout.dialect.delimiter === ';',
    ),
  };
}
