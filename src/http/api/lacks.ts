/** The operations of the API where an engine lacks some of them: these are a 501, and no document lists them. */
import type { Lacks, QueryEngine } from '../../query/engine.js';
import { oneOf, type Parameter } from '../../query/parameters.js';
import { parseParameters } from '../../query/parse.js';
import { notImplemented } from '../error-responses.js';
import type { Resource } from '../resource.js';
import { errorResponse } from '../response.js';
import { type AddressedOperation, countParameter, hasEstimates } from './operations.js';

/** An operation, which the engine may lack: then it is a 501. */
export interface SiteOperation extends AddressedOperation {
  readonly isLacking?: true;
}

/** The operation as far as the engine has it. */
export function operationOf(
  addressed: AddressedOperation,
  { lacks, answersLater }: Pick<QueryEngine, 'lacks' | 'answersLater'>,
): SiteOperation {
  const operation = answersLater ? { ...addressed, isDeferred: answersLater } : addressed;
  if (lacks === undefined) return operation;
  const what = operation.model.changesOf === undefined ? operation.answers : 'changes';
  if (lacks.operations.includes(what))
    return { ...operation, ...lackingResource(what), parameters: [], isLacking: true };
  const isCounted = operation.answers === 'search' && hasEstimates(operation.model);
  return {
    ...operation,
    parameters: [
      ...operation.parameters.flatMap((parameter) => withoutLacks(parameter, lacks)),
      ...(isCounted ? [countParameter] : []),
    ],
    refuse(error, faulty, { query }) {
      const lacking = [...lacks.parameters, ...lacks.values.keys()].find((name) => faulty.has(name));
      // With all that the API has, the request would be sound.
      const isSound = lacking !== undefined && parseParameters(query, operation.parameters).ok;
      return isSound ? notImplemented(lacking) : errorResponse(error);
    },
  };
}

function withoutLacks(parameter: Parameter, lacks: Lacks): readonly Parameter[] {
  if (lacks.parameters.includes(parameter.name)) return [];
  const values = lacks.values.get(parameter.name);
  if (values === undefined) return [parameter];
  return [{ ...parameter, ...oneOf(parameter.name, parameter.description, values), fallback: values[0] ?? '' }];
}

/** The resource of what the engine lacks. */
export const lackingResource = (what: string): Resource => ({
  parameters: 'ignored',
  handle: () => notImplemented(what),
});
