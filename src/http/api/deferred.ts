/**
 * The operations of the API where an engine answers them later: the same paths, parameters and bodies, with promises. What the engine
 * lacks is a 501, and no document lists it.
 */
import { type ApiError, notFound } from '../../errors.js';
import type { CollectionModel } from '../../model.js';
import { EngineUnavailable, type QueryEngine } from '../../query/engine.js';
import { fieldNamed } from '../../query/operators.js';
import { oneOf, type Parameter } from '../../query/parameters.js';
import { parseParameters } from '../../query/parse.js';
import {
  csvFormOf,
  fieldsOf,
  formatOf,
  numberParameter,
  pagingOf,
  queryOf,
  textParameter,
} from '../../query/request.js';
import { quote } from '../../text.js';
import { engineUnavailable, notImplemented } from '../error-responses.js';
import { capitalised } from '../markup/format.js';
import { noRecord, type Resource, type ResourceRequest, recordPath } from '../resource.js';
import {
  type Download,
  errorResponse,
  JSON_TYPE,
  type PlainResponse,
  type Representation,
  redirect,
} from '../response.js';
import { percentEncode } from '../semantics/percent.js';
import { countedFault, DEFAULT_VALUES } from './counts.js';
import { csvContent } from './export/export.js';
import { csvFraming, csvText, disposition, formats } from './export/formats.js';
import { pageLinks } from './link.js';
import { isWholeRecord, pageNumbers, projectRecord } from './list.js';
import { type AddressedOperation, exportPath, type OperationOptions } from './operations.js';
import { groupedStatsJson, statsJson } from './stats.js';

interface LoadedBody {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether a request may take an estimate of a large total. */
const countParameter: Parameter = {
  ...oneOf('count', 'estimate takes totals above a million from the planner of the database; exact if not given', [
    'exact',
    'estimate',
  ]),
  fallback: 'exact',
};

/** An operation, which the engine may lack: then it is a 501. */
export interface SiteOperation extends AddressedOperation {
  readonly isLacking?: true;
}

/** The operation where an engine answers. */
export function deferredOperation(
  operation: AddressedOperation,
  engine: QueryEngine,
  options: OperationOptions,
): SiteOperation {
  const { lacks } = engine;
  const what = operation.model.changesOf === undefined ? operation.answers : 'changes';
  if (lacks.operations.includes(what))
    return { ...operation, ...lackingResource(what), parameters: [], isLacking: true };
  const isPaged = operation.answers === 'search';
  return {
    ...operation,
    isDeferred: true,
    mayLack: true,
    parameters: [...operation.parameters.flatMap(withoutLacks), ...(isPaged ? [countParameter] : [])],
    refuse(error, faulty, { query }) {
      const lacking = [...lacks.parameters, ...lacks.values.keys()].find((name) => faulty.has(name));
      // Memory would have taken the request.
      const isSound = lacking !== undefined && parseParameters(query, operation.parameters).ok;
      return isSound ? notImplemented(lacking) : errorResponse(error);
    },
    handle: handlerOf(operation, engine, options),
  };

  function withoutLacks(parameter: Parameter): readonly Parameter[] {
    const values = lacks.values.get(parameter.name);
    if (lacks.parameters.includes(parameter.name)) return [];
    if (values === undefined) return [parameter];
    return [{ ...parameter, ...oneOf(parameter.name, parameter.description, values), fallback: values[0] ?? '' }];
  }
}

/** The resource of what the engine lacks. */
export const lackingResource = (what: string): Resource => ({
  parameters: 'ignored',
  handle: () => notImplemented(what),
});

type Handle = (request: ResourceRequest) => Representation | PlainResponse;

function handlerOf(operation: AddressedOperation, engine: QueryEngine, options: OperationOptions): Handle {
  const { model, answers, name } = operation;
  switch (answers) {
    case 'search':
      return (request) => deferredList(model, engine, options, request, name);
    case 'record':
      return (request) => recordOf(model, engine, options, request);
    case 'file':
      return (request) => deferredFile(model, engine, options, request);
    case 'stats':
      return (request) => deferredStats(model, engine, request);
    default:
      return (request) => deferredValues(model, engine, request, name);
  }
}

/** The representation that is loaded where it has to be sent; a 503 where the engine does not answer. */
const loadedBy = (load: () => Promise<LoadedBody | PlainResponse>, isOfSnapshot = false): Representation => ({
  type: JSON_TYPE,
  ...(isOfSnapshot && { isOfSnapshot }),
  load: async () => {
    try {
      const loaded = await load();
      return 'status' in loaded ? loaded : { ...loaded, body: Buffer.from(loaded.body) };
    } catch (error) {
      return unavailableOf(error);
    }
  },
});

function unavailableOf(error: unknown): PlainResponse {
  if (error instanceof EngineUnavailable) return engineUnavailable(error.message);
  throw error;
}

/** Records with the fields that a request asks for. */
function deferredShape(model: CollectionModel, fields: readonly string[] | null) {
  const isProjected = fields !== null && !isWholeRecord(model, fields);
  return (json: string): string => (isProjected ? projectRecord(model, Buffer.from(json), fields).toString() : json);
}

const withoutMember = (field: string, value: string): ApiError =>
  notFound(`${capitalised(field)} ${quote(value)} not found.`);

function deferredList(
  model: CollectionModel,
  engine: QueryEngine,
  options: OperationOptions,
  { values, path, query: search }: ResourceRequest,
  byField?: string,
): Representation {
  const paging = pagingOf(values);
  const fields = fieldsOf(model, values, options.hasAllFields);
  const query = queryOf(model, values);
  // The value of the path is one of the query's filters.
  const field = byField === undefined ? undefined : fieldNamed(model, byField);
  const value = byField === undefined ? '' : (textParameter(values, byField) ?? '');
  const isEstimated = textParameter(values, countParameter.name) === 'estimate';
  return loadedBy(async () => {
    const extent = fields === null ? 'item' : 'whole';
    const { records, total } = await engine.page(model, query, paging, extent, isEstimated);
    if (total === 0 && field !== undefined && !(await engine.hasValue(model, field, value)))
      return errorResponse(withoutMember(field.name, value));
    const exportPair = field === undefined ? '' : `${field.name}=${percentEncode(value)}`;
    const links = pageLinks({ path, query: search, exportPath: exportPath(model), exportPair }, paging, total);
    const body = `{"data":[${records.map(deferredShape(model, fields)).join(',')}],${pageNumbers(total, paging, options.envelope)}}`;
    return { body, headers: { ...links, 'X-Total-Count': String(total) } };
  }, true);
}

function recordOf(
  model: CollectionModel,
  engine: QueryEngine,
  options: OperationOptions,
  { values, path, query }: ResourceRequest,
): Representation {
  const segment = textParameter(values, 'id') ?? '';
  const fields = fieldsOf(model, values, options.hasAllFields);
  return loadedBy(async () => {
    const named = await engine.record(model, segment, fields === null ? 'default' : 'whole');
    if (named === undefined) return errorResponse(noRecord(model, segment));
    if (named.isByKey) return redirect(recordPath(path, 3, named.id, query));
    return { body: deferredShape(model, fields)(named.json) };
  }, true);
}

function deferredValues(
  model: CollectionModel,
  engine: QueryEngine,
  { values }: ResourceRequest,
  facet?: string,
): Representation | PlainResponse {
  const ofFacet = model.fields.find((field) => facet !== undefined && field.facet === facet);
  const name = ofFacet?.name ?? textParameter(values, 'field') ?? '';
  const fault = ofFacet === undefined ? countedFault(model, name) : null;
  if (fault !== null) return errorResponse(fault);
  const field = fieldNamed(model, name);
  const defaultLimit = ofFacet === undefined ? DEFAULT_VALUES : (field.facetLimit ?? Number.POSITIVE_INFINITY);
  const choice = {
    beginning: textParameter(values, 'startsWith') ?? '',
    limit: numberParameter(values, 'limit') ?? defaultLimit,
  };
  return loadedBy(async () => ({
    body: JSON.stringify({ data: await engine.values(model, field, queryOf(model, values), choice) }),
  }));
}

function deferredStats(model: CollectionModel, engine: QueryEngine, { values }: ResourceRequest): Representation {
  const query = queryOf(model, values);
  const by = textParameter(values, 'by');
  const limit = numberParameter(values, 'limit') ?? DEFAULT_VALUES;
  return loadedBy(async () => ({
    body: JSON.stringify(
      by === null
        ? statsJson(model, await engine.stats(model, query))
        : groupedStatsJson(
            model,
            by,
            await engine.groups(model, query, fieldNamed(model, by), fieldsOf(model, values), limit),
          ),
    ),
  }));
}

function deferredFile(
  model: CollectionModel,
  engine: QueryEngine,
  options: OperationOptions,
  { values }: ResourceRequest,
): Representation {
  const format = formatOf(values);
  const fields = fieldsOf(model, values, options.hasAllFields);
  const form = csvFormOf(values);
  const shape = deferredShape(model, fields);
  const csv = csvContent(model, fields);
  const framing = formats[format].framing ?? csvFraming(csv.columns, form);
  const textOf = (records: readonly string[]): string =>
    formats[format].framing === null
      ? csvText(
          records.flatMap((json) => csv.rows(Buffer.from(json))),
          form,
        )
      : records.map(shape).join(framing.separator);
  return {
    type: formats[format].type,
    isOfSnapshot: true,
    headers: { 'Content-Disposition': disposition('attachment', `${model.name}.${format}`) },
    async open(): Promise<Download | PlainResponse> {
      const extent = fields === null ? 'default' : 'whole';
      const batches = engine
        .export(model, queryOf(model, values), numberParameter(values, 'limit'), extent)
        [Symbol.asyncIterator]();
      // The first batch shows whether the engine answers, before anything is sent.
      let batch: IteratorResult<readonly string[]> | null = null;
      try {
        batch = await batches.next();
      } catch (error) {
        return unavailableOf(error);
      }
      const end = async (): Promise<void> => void (await batches.return?.(undefined));
      let stage: 'first' | 'later' | 'ended' = 'first';
      async function next(): Promise<IteratorResult<Buffer<ArrayBuffer>, undefined>> {
        if (stage === 'ended') return { done: true, value: undefined };
        const { done, value } = batch ?? (await batches.next());
        batch = null;
        const isFirst = stage === 'first';
        stage = done ? 'ended' : 'later';
        const before = isFirst ? framing.opening : done ? '' : framing.separator;
        return { done: false, value: Buffer.from(before + (done ? framing.closing(isFirst) : textOf(value))) };
      }
      // A reader that leaves before its first chunk ends the export as well: a generator would not have begun.
      const iterator = { next, return: async () => end().then(() => ({ done: true as const, value: undefined })) };
      return { size: null, chunks: () => ({ [Symbol.asyncIterator]: () => iterator }), end };
    },
  };
}
