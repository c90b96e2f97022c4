/** A mapping file, `{"source name": "field"}` → the names that it gives to fields. */
import { readFile } from 'node:fs/promises';
import { type CollectionModel, hasField } from '../../model.js';
import { nearest } from '../../nearest.js';
import { parsedJson, quote } from '../../text.js';
import { FIRST_POSITION, faultBetween, positionBehind, tooLarge } from '../place/json-fault.js';
import { stepsAt } from '../place/json-place.js';
import { type SampleRecord, wantedOf } from '../profile/sample.js';
import type { SnapshotFault } from '../report/report.js';
import { fileErrorText, READ_WITHOUT_WAITING } from '../source/folder.js';
import { isIdentifier } from '../values/paths.js';
import { createRank, MAPPED_KINDS, type MappedKind, type Mapping, NO_MAPPING, type Rank } from './columns.js';
import { mayBeFoundName } from './found-fields.js';

const EXPECTED = 'expected an object such as {"source name": "field"}';

/** `file`: the path as messages name it. */
export async function readMapping(
  model: CollectionModel,
  path: string,
  file: string,
): Promise<Mapping | SnapshotFault> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path, { flag: READ_WITHOUT_WAITING });
  } catch (error) {
    return { file, message: fileErrorText(error) };
  }
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return { file, line: 1, message: `the file is empty: ${EXPECTED}` };
  const parsed = parsedJson(text);
  return parsed === undefined ? { file, ...jsonFaultOf(Buffer.from(text)) } : mappingIn(model, file, text, parsed);
}

/** `{"dayFirst": true}` says how dates such as `4/8/2016` are read; `{"dayFirst": "title"}` names a column. */
const DAY_FIRST = 'dayFirst';

/** `{"records": "threads[].posts[]"}` says where the records stand; `{"records": "title"}` names a column. */
const RECORDS = 'records';

class FileMapping extends Map<string, string | null> implements Mapping {
  dayFirst?: boolean;
  records?: string;
  readonly kinds = new Map<string, MappedKind>();
}

/**
 * The mapping of a file that this service exported: each documented name is its field, unless the user's mapping says otherwise. For any
 * other file it is the user's.
 */
export function exportMapping(
  mapping: Mapping,
  model: CollectionModel,
  records: readonly SampleRecord[],
  isCsv: boolean,
): Mapping {
  const sample = wantedOf(model, records);
  const isOurExport = model.isOwn === undefined && isExportForm(model, sample);
  const isGuarded = isCsv && (isOurExport || (model.isOwn === true && hasExportShape(sample)));
  if (!isOurExport && !isGuarded) return mapping;
  const names = isOurExport ? (sample[0]?.names.filter((name) => hasField(model, name)) ?? []) : [];
  const namesOfFields = new Map([...names.map((name) => [name, name] as const), ...mapping]);
  const { dayFirst, records: place, kinds } = mapping;
  return Object.assign(namesOfFields, { isOurExport, isGuarded, dayFirst, records: place, kinds });
}

/**
 * The form in which this service exports records: every field of a list item under its own name, in the model's order;
 * behind the documented fields those that were found in the dump, of any name.
 */
function isExportForm(model: CollectionModel, sample: readonly SampleRecord[]): boolean {
  const isExported = ({ names }: SampleRecord): boolean => {
    const exported = model.fields.filter(({ name, detailOnly }) => !detailOnly || names.includes(name));
    const documented = names.filter((name) => hasField(model, name));
    return documented.length === exported.length && exported.every(({ name }, i) => names[i] === name);
  };
  return sample.length > 0 && sample.every(isExported);
}

/** Whether a sample has the form of an export of a collection of the user's own: the id first, and names as the API has them. */
const hasExportShape = (sample: readonly SampleRecord[]): boolean =>
  sample.length > 0 && sample.every(({ names }) => names[0] === 'id' && names.every(isIdentifier));

/** Where and why a mapping is no JSON. */
function jsonFaultOf(bytes: Buffer) {
  const { at, message } = faultBetween(bytes, 0, bytes.length) ?? tooLarge(0);
  return { ...positionBehind(bytes.subarray(0, at), FIRST_POSITION), message };
}

function mappingIn(model: CollectionModel, file: string, text: string, parsed: unknown): Mapping | SnapshotFault {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { file, line: 1, message: EXPECTED };
  const mapping = new FileMapping();
  const rank = createRank(model, NO_MAPPING);
  for (const [name, value] of Object.entries(parsed)) {
    const fault = addToMapping(mapping, model, rank, name, value);
    if (fault === undefined) continue;
    return { file, line: lineOf(text, JSON.stringify(name)), message: `${quote(name)}: ${fault}` };
  }
  return mapping;
}

/** Takes what a mapping says of a name; returns what was expected, where that is not understood. */
function addToMapping(
  mapping: FileMapping,
  model: CollectionModel,
  rank: Rank,
  name: string,
  value: unknown,
): string | undefined {
  const withKind = kindIn(value);
  const field = withKind === undefined ? value : withKind.field;
  if (withKind !== undefined) {
    if (hasField(model, String(field)))
      return `${quote(field)} has the kind that the API documents; give the column another name, or leave "kind" out`;
    if (withKind.kind === undefined)
      return `expected one of the kinds ${MAPPED_KINDS.join(', ')}, found ${quote(withKind.found)}`;
    mapping.kinds.set(name, withKind.kind);
    if (field === undefined) return undefined;
  }
  if (name === DAY_FIRST && typeof field === 'boolean') {
    mapping.dayFirst = field;
    return undefined;
  }
  if (name === RECORDS && typeof field === 'string' && field.endsWith('[]') && stepsAt(field) !== null) {
    mapping.records = field;
    return undefined;
  }
  const isOther = typeof field === 'string' && isOtherName(field, model, rank);
  const isName = typeof field === 'string' && (hasField(model, field) || (isOther && mayBeFoundName(model, field)));
  if (field === null || isName) {
    mapping.set(name, field);
    return undefined;
  }
  const fieldNames = model.fields.map((each) => each.name).join(', ');
  const otherNames = isOther ? ', or another name of letters and digits that is no parameter' : '';
  return `expected one of the fields ${fieldNames}${otherNames}, found ${quote(field)}`;
}

/** Whether a name is neither a documented field's, misspelt, nor another of its names. */
const isOtherName = (name: string, { fields }: CollectionModel, rank: Rank): boolean =>
  nearest(
    name,
    fields.map((field) => field.name),
  ) === null && fields.every((field) => rank(field, name) === undefined);

/** `{"zip": {"kind": "code"}}`, with a name `{"zip": {"field": "postcode", "kind": "code"}}`; undefined for any other value. */
function kindIn(value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('kind' in value)) return undefined;
  const kind = MAPPED_KINDS.find((one) => one === value.kind);
  return { kind, found: value.kind, field: 'field' in value ? value.field : undefined };
}

const lineOf = (text: string, part: string): number =>
  text.slice(0, Math.max(0, text.indexOf(part))).split('\n').length;
