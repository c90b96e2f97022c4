/**
 * Possible mistakes of a file that its sample shows: several currencies in a column of prices, several scales in one of ratings, records
 * of another collection. Nothing is converted.
 */

import { type CollectionModel, collections, type Field, fieldOf } from '../../model.js';
import { count, grouped, quote } from '../../text.js';
import { collectionVocabulary } from '../fields/vocabulary.js';
import { type FileFinding, finding } from '../report/findings.js';
import { namedScale, type SignCounts, signCounts } from '../values/numbers.js';
import { nameKey } from '../values/paths.js';
import { currenciesIn } from './amounts.js';
import type { SampleRecord } from './sample.js';

export function sampleFindings(
  model: CollectionModel,
  sample: readonly SampleRecord[],
  prices: readonly unknown[],
  ratings: readonly unknown[],
): readonly FileFinding[] {
  return [
    ...severalFinding(fieldOf(model, 'price'), 'currencies', currenciesIn(prices)),
    ...severalFinding(fieldOf(model, 'rating'), 'scales', scalesOf(ratings)),
    ...otherCollectionFindings(model, sample),
  ];
}

function severalFinding(
  field: Field | undefined,
  kind: 'currencies' | 'scales',
  counts: SignCounts,
): readonly FileFinding[] {
  if (counts.length < 2 || field === undefined) return [];
  const countTexts = counts.map(([name, values]) => `${name} ${values}`);
  const text = `several ${kind}, none is converted: ${countTexts.join(', ')}`;
  return [finding(kind, text, { field: field.name, count: counts.length })];
}

/**
 * The scales of a column of ratings. Plain numbers have one scale together, unless another value names its scale, or most are at most 5
 * and some above 10: then each is counted by its size.
 */
function scalesOf(values: readonly unknown[]): SignCounts {
  const named = values.flatMap((value) => namedScale(value) ?? []);
  const plain = values.filter((value) => value !== '' && Number.isFinite(Number(value))).map(Number);
  const stars = plain.filter((value) => value <= 5).length;
  const isMixed = named.length > 0 || (stars >= plain.length / 2 && plain.some((value) => value > 10));
  const scaleOf = (value: number): string => (value <= 5 ? '5' : value <= 10 ? '10' : '100');
  const scales = [...named, ...plain.map((value) => (isMixed ? scaleOf(value) : 'plain'))];
  return signCounts(scales.map((scale) => `of ${scale}:`));
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
