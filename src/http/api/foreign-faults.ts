/**
 * Checked parameters that are spelt as in other APIs, or that the search engine lacks: the fault of each, with the line that works. What is
 * a value or a text of the dump is no fault, so these ask the engine for the records.
 */
import { faultOf, type ParameterFault } from '../../errors.js';
import { hasTextValues } from '../../field-kinds.js';
import type { CollectionModel } from '../../model.js';
import { type Answer, allAnswers, hasRecords, type QueryEngine, whenAnswered } from '../../query/engine.js';
import { lineForMeaning, type Meaning, meantBy, withoutSigns } from '../../query/foreign.js';
import { type FilterParameter, filterParametersByName, operatorParametersIn } from '../../query/operators.js';
import { filterOf, MISSING, type ParameterValues, type QueryFilter } from '../../query/query.js';
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
    ...foreignValues(model, filters, values).map((each) => foreignFaults(model, engine, each)),
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

/** Bound on the values of a parameter, and of a meaning, that are looked up: each may take a millisecond of a million records. */
const MAX_LOOKED_UP_VALUES = 20;

/** A value that stands for others elsewhere: `eq.Art`, `Hamburg,Oslo`, `*burg*`, `A ` for `A+`, and `%tea%` of a part. */
interface ForeignValue {
  readonly name: string;
  readonly written: QueryFilter;
  readonly meaning: Meaning;
  /** The line that works in its place. */
  readonly line: string;
}

/** Foreign values among the first ones of each parameter. Only the first of them may be a part, which is compared with every text. */
const foreignValues = (
  model: CollectionModel,
  filters: readonly FilterParameter[],
  values: ParameterValues,
): readonly ForeignValue[] =>
  filters.flatMap(({ field, operator, parameter: { name } }) => {
    const isPart = operator.finds.by === 'part';
    if (!isPart && (!hasTextValues(field) || field.kind === 'url' || operator.finds.by !== 'values')) return [];
    const texts = (values.get(name) ?? []).slice(0, MAX_LOOKED_UP_VALUES).map(String);
    const foreign = texts.flatMap((value) => {
      const meaning = isPart ? meantByPart(operator.suffix, value) : meantBy(value);
      if (meaning === null || meaning.values.length > MAX_LOOKED_UP_VALUES) return [];
      const line = lineForMeaning(isPart ? field.name : name, meaning, filterParametersByName(model));
      const written = filterOf(field.name, isPart ? operator.suffix : '', [value]);
      return line === null ? [] : [{ name, written, meaning, line }];
    });
    return foreign.filter(({ meaning }, i) => i === 0 || meaning.suffix !== '_like');
  });

/** `tea` of `%tea%`, `^tea` and `tea*`, the signs of patterns around a part of a text; null where it has none. */
function meantByPart(suffix: string, value: string): Meaning | null {
  const part = withoutSigns(value);
  return part === value || part === '' ? null : { suffix, values: [part] };
}

/** The fault of a value that no record has, if records have all that it means elsewhere: `eq.Art`, where `Art` is a category. */
function foreignFaults(
  model: CollectionModel,
  engine: QueryEngine,
  { name, written, meaning: { suffix, values }, line }: ForeignValue,
): Answer<readonly ParameterFault[]> {
  const has = (filter: QueryFilter): Answer<boolean> => hasRecords(model, engine, { filters: [filter] });
  const { field } = written;
  // A value that is left out must be there as well.
  const operator = suffix === '_ne' ? '' : suffix;
  const meantFilters =
    suffix === MISSING ? [filterOf(field, MISSING, [])] : values.map((value) => filterOf(field, operator, [value]));
  const fault = faultOf(name, 'is ', quoted(written.values[0] ?? ''), `, which no record has. ${line}`);
  return whenAnswered(has(written), (isValue) =>
    isValue
      ? []
      : whenAnswered(allAnswers(meantFilters.map(has)), (areThere) => (areThere.every(Boolean) ? [fault] : [])),
  );
}
