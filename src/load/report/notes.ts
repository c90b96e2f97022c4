/** The report's lines about how a file is read: decisions of its opening that a user may want otherwise. */
import type { CollectionModel } from '../../model.js';
import { count, grouped, quote } from '../../text.js';
import type { Plan } from '../fields/plan.js';
import type { SourceColumn } from '../fields/sources.js';
import type { OpenedFile } from '../open-file.js';
import { placeText } from '../place/json-walk.js';
import type { ColumnDates } from '../profile/date-orders.js';
import type { ColumnSigns } from '../profile/number-separators.js';
import type { TallyResult } from './tally.js';

/** `model`: that of the collection, with what all its files show; `mapping`: the name of the mapping file. */
export const notesOn = (opened: OpenedFile, model: CollectionModel, mapping: string): readonly string[] => [
  ...idNotes(opened),
  ...placeNotes(opened),
  ...planNotes(opened.plan, mapping),
  ...splitNotes(model),
];

const splitNotes = ({ fields }: CollectionModel): readonly string[] =>
  fields.flatMap(({ name, splitBy }) =>
    splitBy === undefined
      ? []
      : [`${name}: a text may hold several values, separated by ${quote(splitBy.trim())}; each is counted`],
  );

/** Where the records stand, unless they are the values of the file, or of its one array. */
function placeNotes({ layout }: OpenedFile): readonly string[] {
  if ('dialect' in layout) return layout.notes;
  const { steps, alsoFound } = layout;
  const isPlain = steps.length === 0 || (steps.length === 1 && steps[0] === 'each');
  return [
    ...(isPlain ? [] : [`the records are those at ${placeText(steps)}`]),
    ...(alsoFound === undefined ? [] : [`records like these were found at ${alsoFound} too, and are not read`]),
  ];
}

/** Why records that have ids get others. */
function idNotes({ hasIds, sampled: { records, ids } }: OpenedFile): readonly string[] {
  if (ids === 0 || hasIds) return [];
  return [`ids are given by position: ${grouped(ids)} of the first ${count(records, 'record')} have an integer id`];
}

/**
 * The lines about the order of day and month, one for columns of which the same is told; none where the mapping says it, or the dates
 * prove to be month/day.
 */
export function dateNoteOn(
  isStated: boolean | undefined,
  columns: readonly ColumnDates[],
  mapping: string,
): string | undefined {
  if (isStated !== undefined) return undefined;
  const namesByText = new Map<string, string[]>();
  for (const column of columns) {
    const text = dateText(column, mapping);
    if (text === undefined) continue;
    const names = namesByText.get(text) ?? [];
    namesByText.set(text, [...names, column.name]);
  }
  const lines = [...namesByText].map(([text, names]) => `${names.join(', ')}: ${text}`);
  return lines.length === 0 ? undefined : lines.join('. ');
}

function dateText({ order, dayFirst, monthFirst, areAmbiguous }: ColumnDates, mapping: string): string | undefined {
  const isDayFirst = order === 'day first';
  const other = isDayFirst ? 'month/day' : 'day/month';
  const decide = `; {"dayFirst": ${!isDayFirst}} in ${mapping} reads ${other}`;
  if (dayFirst !== undefined && monthFirst !== undefined)
    return `both day/month (${quote(dayFirst)}) and month/day (${quote(monthFirst)}); read as month/day where either is possible${decide}`;
  if (!areAmbiguous) return undefined;
  if (dayFirst !== undefined) return `read as day/month, as ${quote(dayFirst)} shows`;
  if (monthFirst !== undefined) return undefined;
  return `nothing shows whether dates are month/day or day/month; read as month/day${decide}`;
}

/** The numbers that are read with decimal commas because another column of the file has them. */
export const signNotes = (columns: readonly ColumnSigns[]): readonly string[] =>
  columns.flatMap(({ name, othersProof, areAmbiguous }) =>
    othersProof === undefined || !areAmbiguous
      ? []
      : [`${name}: read with decimal commas, as ${quote(othersProof)} of this file shows: 1.234 is 1234`],
  );

/** The first record that is refused or repaired, as `--strict` reports it. */
export function strictFault(file: string, { refusals, fields }: Pick<TallyResult, 'refusals' | 'fields'>) {
  const refused = refusals.map(({ record, line, reason }) => {
    const message = `record ${grouped(record)} is refused, and --strict allows no refusal: ${reason}`;
    return { record, line, message };
  });
  const repaired = fields.flatMap(({ field, repairs, leftNullExamples }) =>
    [...repairs, ...leftNullExamples].map(({ record, line, raw, read }) => {
      const repair = read === null ? `cannot be read from ${raw}` : `is read from ${raw} as ${quote(read)}`;
      const message = `record ${grouped(record)} needs a repair, and --strict allows none: ${field} ${repair}`;
      return { record, line, message };
    }),
  );
  const [first] = [...refused, ...repaired].sort((a, b) => a.record - b.record);
  return first && { file, line: first.line, message: first.message };
}

function planNotes({ model, unsuited, fed, forms }: Plan, mapping: string): readonly string[] {
  const nameOf = (index: number) => model.fields[index]?.name ?? '';
  return [
    ...[...fed.values()].flatMap((source) => guessText(model, source, mapping) ?? []),
    ...unsuited.map(({ field, text, why }) => `${nameOf(field)}: not read from ${quote(text)}: ${why}`),
    ...forms.flatMap((form, index) =>
      form === 'html' ? [`${nameOf(index)}: HTML made text; --html keep leaves it`] : [],
    ),
  ];
}

/** `rating: guessed from "User Rating"; {"User Rating": null} in products.mapping.json keeps it out`; undefined where nothing is guessed. */
export function guessText(
  model: CollectionModel,
  { field, text, guess }: SourceColumn,
  mapping: string,
): string | undefined {
  if (guess === undefined) return undefined;
  const { name, required } = model.fields[field]!;
  const source = guess.stage === 'values' ? `the values of ${quote(text)}` : quote(text);
  // A record needs its title: another column has to be it.
  const overrule =
    required && guess.instead !== undefined
      ? `${JSON.stringify({ [guess.instead]: name })} in ${mapping} reads another column`
      : `${JSON.stringify({ [text]: null })} in ${mapping} keeps it out`;
  return `${name}: guessed from ${source}; ${overrule}`;
}
