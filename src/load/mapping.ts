/** A mapping file, `{"source name": "field"}` → the names that it gives to fields. */
import { readFile } from 'node:fs/promises';
import type { CollectionModel } from '../model.js';
import { quote } from '../text.js';
import type { Mapping } from './columns.js';
import { fileErrorText, type MappingFile } from './folder.js';
import { JsonChecker } from './json-checker.js';
import type { SnapshotFault } from './report.js';

const EXPECTED = 'expected an object such as {"source name": "field"}';

export async function readMapping(
  model: CollectionModel,
  { file, path }: MappingFile,
): Promise<Mapping | SnapshotFault> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return { file, message: fileErrorText(error) };
  }
  const checker = new JsonChecker('document');
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return { file, line: 1, message: `the file is empty: ${EXPECTED}` };
  const fault = checker.feed(Buffer.from(text)) ?? checker.end();
  return fault ? { file, ...fault } : parsedMapping(model, file, text);
}

/** `{"dayFirst": true}` says how dates such as `4/8/2016` are read; `{"dayFirst": "title"}` names a column. */
const DAY_FIRST = 'dayFirst';

class FileMapping extends Map<string, string | null> implements Mapping {
  dayFirst?: boolean;
}

function parsedMapping(model: CollectionModel, file: string, text: string): Mapping | SnapshotFault {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { file, line: 1, message: EXPECTED };
  const mapping = new FileMapping();
  const fieldNames = model.fields.map(({ name }) => name);
  for (const [name, field] of Object.entries(parsed)) {
    if (name === DAY_FIRST && typeof field === 'boolean') {
      mapping.dayFirst = field;
      continue;
    }
    if (field !== null && (typeof field !== 'string' || !fieldNames.includes(field))) {
      const message = `${quote(name)}: expected one of the fields ${fieldNames.join(', ')}, found ${quote(field)}`;
      return { file, line: lineOf(text, JSON.stringify(name)), message };
    }
    mapping.set(name, field);
  }
  return mapping;
}

const lineOf = (text: string, part: string): number =>
  text.slice(0, Math.max(0, text.indexOf(part))).split('\n').length;
