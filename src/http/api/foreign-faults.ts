/**
 * Checked parameters that are spelt as in other APIs, or that the search engine lacks: the fault of each, with the line that works. What is
 * a value or a text of the dump is no fault, so these ask the engine for the records.
 */
import { faultOf, type ParameterFault } from '../../errors.js';
import { hasTextValues } from '../../field-kinds.js';
import type { CollectionModel, Field } from '../../model.js';
import { type Answer, allAnswers, type QueryEngine, whenAnswered } from '../../query/engine.js';
import { lineForMeaning, type Meaning, meantBy, withoutSigns } from '../../query/foreign.js';
import {
  type FilterParameter,
  filterParametersByName,
  operatorParametersIn,
  operators,
} from '../../query/operators.js';
import { EVERYTHING, MISSING, type ParameterValues, type Query, type QueryFilter } from '../../query/query.js';
import { numberParameter, textParameter } from '../../query/request.js';
import { conditionsInText } from '../../query/text-conditions.js';
import { signInText } from '../../query/text-signs.js';
import { quoted } from '../../text.js';
import { percentEncode } from '../semantics/percent.js';

export function parameterFaults(
  model: CollectionModel,
  engine: QueryEngine,
  values: ParameterValues,
): Answer<readonly ParameterFault[]> {
  const index = engine.index?.(model);
  const faults: ParameterFault[] = [];
  if (index?.suggestion === null && numberParameter(values, 'suggest') === 1)
    faults.push(faultOf('suggest', `must be 0: --engine ${index.engine} does not tell spellings.`));
  if (index?.engine === 'minisearch' && values.has('boost'))
    faults.push(faultOf('boost', `must be left out: --engine ${index.engine} ranks by the text alone.`));
  const text = textParameter(values, 'q');
  const filters = operatorParametersIn(model, values);
  const foreign = [
    ...(text === null ? [] : [textFaults(model, engine, text)]),
    ...foreignValues(filters, values).map((each) => foreignFaults(model, engine, each)),
    ...signedParts(filters, values).map((each) => partFaults(model, engine, each)),
  ];
  return foreign.length === 0 ? faults : whenAnswered(allAnswers(foreign), (ofEach) => [...ofEach.flat(), ...faults]);
}

/** The fault of a condition or a sign of other APIs in a search text: of a sign that may be a word only where no record has the text. */
function textFaults(model: CollectionModel, engine: QueryEngine, text: string): Answer<readonly ParameterFault[]> {
  const [condition] = conditionsInText(text, model);
  if (condition !== undefined) {
    const line = `Write ${condition.pairs.map(([name, value]) => `${name}=${percentEncode(value)}`).join('&')}.`;
    return [faultOf('q', 'is a text to search, and ', quoted(condition.written), ` in it is a condition. ${line}`)];
  }
  const sign = signInText(text, model);
  if (sign === null) return [];
  const { written, line, mayBeText } = sign;
  const faults = [faultOf('q', 'has ', quoted(written), `, which is no sign here. ${line}`)];
  return mayBeText
    ? whenAnswered(hasRecords(model, engine, { text: asPhrase(text) }), (isText) => (isText ? [] : faults))
    : faults;
}

const asPhrase = (text: string): string => `"${text.replaceAll('"', ' ')}"`;

/** Whether any record is found by a query. */
const hasRecords = (model: CollectionModel, engine: QueryEngine, query: Partial<Query>): Answer<boolean> =>
  whenAnswered(
    engine.page(model, { ...EVERYTHING, ...query }, { page: 1, limit: 1 }, 'item'),
    ({ total }) => total > 0,
  );

/** The values of a parameter that stand for others elsewhere: `eq.Art`, `Hamburg,Oslo`, `*burg*`, `A ` for `A+`. */
interface ForeignValues {
  readonly name: string;
  readonly field: Field;
  readonly valuesWithMeaning: readonly { readonly value: string; readonly meaning: Meaning }[];
}

const foreignValues = (filters: readonly FilterParameter[], values: ParameterValues): readonly ForeignValues[] =>
  filters.flatMap(({ field, operator, parameter: { name } }) => {
    if (!hasTextValues(field) || field.kind === 'url' || operator.finds.by !== 'values') return [];
    const valuesWithMeaning = (values.get(name) ?? []).map(String).flatMap((value) => {
      const meaning = meantBy(value);
      return meaning === null ? [] : [{ value, meaning }];
    });
    return valuesWithMeaning.length === 0 ? [] : [{ name, field, valuesWithMeaning }];
  });

/** A fault for each value that no record has, if the values that it means elsewhere exist: `eq.Art`, where `Art` is a category. */
function foreignFaults(
  model: CollectionModel,
  engine: QueryEngine,
  { name, field, valuesWithMeaning }: ForeignValues,
): Answer<readonly ParameterFault[]> {
  const texts = valuesWithMeaning.flatMap(({ value, meaning }) => [value, ...meaning.values]);
  return whenAnswered(engine.existingValues(model, field, texts), (existing) =>
    whenAnswered(existing.has(valuesWithMeaning[0]?.value ?? '') ? false : isFirstFound(), (isFound) => {
      const parameters = filterParametersByName(model);
      return valuesWithMeaning.flatMap(({ value, meaning }, i) => {
        const isThere = isProbed(meaning) ? i === 0 && isFound : meaning.values.every((one) => existing.has(one));
        const line = existing.has(value) || !isThere ? null : lineForMeaning(name, meaning, parameters);
        return line === null ? [] : [faultOf(name, 'has no value ', quoted(value), `. ${line}`)];
      });
    }),
  );

  /** Whether records are found by the first value: a part is compared with every text, so only the first value is tried. */
  function isFirstFound(): Answer<boolean> {
    const meaning = valuesWithMeaning[0]?.meaning;
    if (meaning === undefined || !isProbed(meaning)) return false;
    const filter = { field: field.name, operator: meaning.suffix, values: meaning.values, match: 'any' as const };
    return hasRecords(model, engine, { filters: [filter] });
  }
}

/** A part of a text with signs around it, as patterns have them: `%tea%`, `^tea`, `tea*`. */
interface SignedPart {
  readonly name: string;
  readonly filter: QueryFilter;
  readonly part: string;
}

const signedParts = (filters: readonly FilterParameter[], values: ParameterValues): readonly SignedPart[] =>
  filters.flatMap(({ field, operator, parameter: { name } }) => {
    if (operator.finds.by !== 'part') return [];
    const value = String(values.get(name)?.[0]);
    const part = withoutSigns(value);
    if (part === value || part === '') return [];
    return [{ name, part, filter: { field: field.name, operator: operator.suffix, values: [value], match: 'any' } }];
  });

/** The fault of a part that finds nothing with its signs, and something without. */
const partFaults = (
  model: CollectionModel,
  engine: QueryEngine,
  { name, filter, part }: SignedPart,
): Answer<readonly ParameterFault[]> =>
  whenAnswered(hasRecords(model, engine, { filters: [filter] }), (isText) =>
    whenAnswered(isText ? false : hasRecords(model, engine, { filters: [{ ...filter, values: [part] }] }), (isPart) =>
      isPart
        ? [
            faultOf(
              name,
              'finds nothing with ',
              quoted(filter.values[0] ?? ''),
              `. Write ${name}=${percentEncode(part)}.`,
            ),
          ]
        : [],
    ),
  );

/** Whether only a query tells if a meaning finds records: a part of a text, or a missing value. */
const isProbed = ({ suffix }: Meaning): boolean =>
  suffix === MISSING || operators.some((one) => one.suffix === suffix && one.finds.by === 'part');
