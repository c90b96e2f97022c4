/**
 * Which column feeds which field?
 * Takes: the columns of the sample, and the fields of the model.
 * Gives: for each field its sources, best first: the mapping, the field's own name, its aliases, usual paths, the same inside of an
 * object that holds each record's values (`data`, `volumeInfo`). Fields without one are guessed afterwards, and added to the same result:
 * `{"id":7,"name":"Tea","cost":"£4.20"}` feeds id and title by name, and leaves `cost`, which a guess gives to the price.
 * Skip: how names and paths are ranked (`sources.ts`), how values are guessed (`guesses.ts`).
 */
import { type Field, fieldOf } from '../../model.js';
import { ROLES_OF_HOLDERS } from '../place/holders.js';
import type { SampledColumn } from '../profile/sampled-columns.js';
import { type CellSource, GUESS_STAGES } from './columns.js';
import { guessColumn } from './guesses.js';
import { pathToValues, type SampledFile, sourcesOf } from './sources.js';

/** The decisions about the columns so far. */
interface Feeding {
  /** By name of each field its sources, the best first; empty where nothing feeds it. */
  readonly sources: ReadonlyMap<string, readonly CellSource[]>;
  /** Sources that have a field's name, and other values. */
  readonly unsuited: readonly CellSource[];
  /** The columns that feed no field. */
  readonly freeColumns: readonly SampledColumn[];
}

const isFed = (sources: Feeding['sources'], field: Field | undefined): boolean =>
  field !== undefined && (sources.get(field.name) ?? []).length > 0;

/** The sources of fields by the mapping, names and usual paths. */
export function feedByName(columns: SampledFile): Feeding {
  const { model, mapping, levels } = columns;
  const byField = model.fields.map((field) => ({ field, ...sourcesOf(field, columns) }));
  const unsuited = byField.flatMap((each) => each.unsuited);
  const sources = new Map(byField.map(({ field, suited }) => [field.name, suited]));
  const freeColumns = levels.flatMap((level) => [...level.columns.values()]).filter((column) => !isTaken(column));
  return { sources, unsuited, freeColumns };

  /** Whether a column feeds a field already, is in the mapping, or has a field's name and other values. */
  function isTaken({ path, text }: SampledColumn): boolean {
    const [first, second] = path;
    if (mapping.has(text) || unsuited.some((source) => source.text === text)) return true;
    return [...sources.values()].some((fieldSources) => {
      const best = fieldSources.find(({ isByName }) => isByName) ?? fieldSources[0];
      if (best?.path[0] !== first) return false;
      return best?.isByName ? second === undefined : best?.path.length === 1 || best?.path[1] === second;
    });
  }
}

const STAGES_OF_NAMES = ['words'] as const;

/** Behind every source that a name gives. */
const GUESS_RANK = 1_000_000;

/** Guesses a source for each field that has none, the surest of all fields first. A column that is guessed is no longer free. */
export function feedByGuess(columns: SampledFile, byName: Feeding): Feeding {
  const { model, isCsv, heldNames, records, isByNames } = columns;
  const sources = new Map(byName.sources);
  let { freeColumns } = byName;
  for (const stage of isByNames ? STAGES_OF_NAMES : GUESS_STAGES)
    for (const field of model.fields) {
      // A record without a title takes the first words of its content.
      const isTitled = field.role === 'title' && stage !== 'words' && isFed(sources, fieldOf(model, 'body'));
      if (isFed(sources, field) || isTitled) continue;
      // The address of a shop is none of its products.
      const mayFeed = ({ name }: SampledColumn): boolean => isOfHolders(field) || !heldNames?.has(name);
      const column = guessColumn(field, freeColumns.filter(mayFeed), isCsv, stage, records, isByNames);
      if (column === undefined) continue;
      freeColumns = freeColumns.filter((other) => other !== column);
      const path = [...column.path, ...pathToValues(field, column.values)];
      sources.set(field.name, [
        { field: field.name, rank: GUESS_RANK, path, text: column.text, isByName: false, guess: stage },
      ]);
    }
  return { ...byName, sources, freeColumns };
}

const isOfHolders = ({ role }: Field): boolean => role !== undefined && ROLES_OF_HOLDERS.includes(role);

/** The best source of each field that has one. */
export const bestSources = ({ sources }: Feeding): ReadonlyMap<string, CellSource> =>
  new Map([...sources].flatMap(([name, [best]]) => (best === undefined ? [] : [[name, best]])));
