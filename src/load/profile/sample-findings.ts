/**
 * Possible mistakes of a file that its sample shows: several currencies in a column of prices, several scales in one of ratings, records
 * of another collection. Nothing is converted.
 */

import { type CollectionModel, collections, type Field, fieldOf } from '../../model.js';
import { count, grouped, quote } from '../../text.js';
import { collectionVocabulary } from '../fields/vocabulary.js';
import { type FileFinding, finding } from '../report/findings.js';
import type { SignCounts } from '../values/numbers.js';
import { nameKey } from '../values/paths.js';
import type { ColumnProfile } from './column-profile.js';
import type { SampleRecord } from './sample.js';

export function sampleFindings(
  model: CollectionModel,
  sample: readonly SampleRecord[],
  prices: ColumnProfile | undefined,
  ratings: ColumnProfile | undefined,
): readonly FileFinding[] {
  return [
    ...severalFinding(fieldOf(model, 'price'), 'currencies', prices?.amounts.currencies),
    ...severalFinding(fieldOf(model, 'rating'), 'scales', ratings?.scales),
    ...otherCollectionFindings(model, sample),
  ];
}

function severalFinding(
  field: Field | undefined,
  kind: 'currencies' | 'scales',
  counts: SignCounts = [],
): readonly FileFinding[] {
  if (counts.length < 2 || field === undefined) return [];
  const countTexts = counts.map(([name, values]) =>
    kind === 'scales' ? `of ${name}: ${values}` : `${name} ${values}`,
  );
  const text = `several ${kind}, none is converted: ${countTexts.join(', ')}`;
  return [finding(kind, text, { field: field.name, count: counts.length })];
}

/** Names under which scrapers say what a record is, besides JSON-LD's. */
const KIND_NAMES = new Set(['type', 'kind', 'recordtype', 'posttype', 'itemtype', 'objecttype']);
/** The kinds that records state of themselves, with the names of the members: `type` and `Product`. */
function saidKinds(sample: readonly SampleRecord[]): readonly (readonly [name: string, kind: string])[] {
  let lastNames: readonly string[] = [];
  let at = -1;
  return sample.flatMap(({ names, cells }): readonly (readonly [string, string])[] => {
    if (names !== lastNames) at = names.findIndex((name) => KIND_NAMES.has(nameKey(name)));
    lastNames = names;
    const kind = cells[at];
    return typeof kind === 'string' ? [[names[at] ?? '', kind]] : [];
  });
}

function otherCollectionFindings(
  { name: own }: CollectionModel,
  sample: readonly SampleRecord[],
): readonly FileFinding[] {
  const findings: FileFinding[] = [];
  const statedKinds = saidKinds(sample);
  for (const model of collections) {
    const { name, singular } = model;
    const { types, kinds: words } = collectionVocabulary(model);
    if (name === own) continue;
    const kinds = new Set([name, singular, ...types, ...words].map(nameKey));
    const [first, ...others] = statedKinds.flatMap(([saidName, kind]) =>
      kinds.has(nameKey(kind)) ? [`${saidName} ${quote(kind)}`] : [],
    );
    if (first === undefined) continue;
    const say = others.length === 0 ? 'says that it is' : 'say that they are';
    const text = `${count(others.length + 1, 'record')} of the first ${grouped(sample.length)} ${say} ${name} (${first}): a file of their own, or --as ${name}, reads them so`;
    findings.push(finding('other-collection', text, { count: others.length + 1 }));
  }
  return findings;
}
