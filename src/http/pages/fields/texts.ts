/**
 * What a field's page says of its texts: how long they are, and, where nearly all of them differ, their commonest words. Both are
 * counted from the texts themselves, since no column has them: of a large collection from a part of its records.
 */
import { stopWordsOf } from '../../../languages.js';
import type { Field } from '../../../model.js';
import type { Conditions } from '../../../query/conditions.js';
import type { Collection } from '../../../store/collection.js';
import { idOfRow } from '../../../store/ids.js';
import { columnOf } from '../../../store/number-column.js';
import { recordBytes, recordJson } from '../../../store/record-text.js';
import { parseRecord } from '../../../store/record-values.js';
import { fold } from '../../../text.js';
import { numberText, shortened } from '../../markup/format.js';
import { type Content, type Html, html } from '../../markup/html.js';
import { chart } from '../chart/chart.js';
import { distributionChart } from '../chart/distribution-chart.js';
import { type Binning, binningOf } from '../counting/binning.js';
import { totalsOf } from '../counting/shape.js';
import { block, blockHead, countBars, topItem, topList } from '../frame/blocks.js';

/** The texts of a field in matching records, or in a part of them. */
export interface FieldTexts {
  /** The shortest first. */
  readonly texts: readonly { readonly row: number; readonly text: string }[];
  /** The lengths of the texts, in UTF-16 units, in bins. */
  readonly lengths: Binning;
  /** ` of 5,000 records` where further records have texts; empty where all texts were read. */
  readonly ofRecords: string;
}

/** Bounds on the records whose texts are read. */
const [MAX_SAMPLED_TEXTS, MAX_SAMPLED_BYTES] = [5000, 1 << 20];
const LENGTH_FIELD: Field = { name: 'characters', kind: 'integer', description: '' };

/** Records are read at even distances: fewer of them where they are long. Null where none has a text; `valued` records have one. */
export function readTexts(
  { text, size }: Collection,
  { name }: Field,
  { all }: Conditions,
  valued: number,
): FieldTexts | null {
  const total = all?.count ?? size;
  const rowsAtEvery = (step: number): readonly number[] =>
    Array.from({ length: Math.ceil(total / step) }, (_, i) => all?.rows[Math.floor(i * step)] ?? Math.floor(i * step));
  const step = Math.max(1, total / MAX_SAMPLED_TEXTS);
  const bytes = rowsAtEvery(step).reduce((sum, row) => sum + recordBytes(text, row, 'whole'), 0);
  const texts = rowsAtEvery(step * Math.max(1, bytes / MAX_SAMPLED_BYTES)).flatMap((row) => {
    const value = parseRecord(recordJson(text, row, 'whole'))[name];
    return typeof value === 'string' && value !== '' ? [{ row, text: value }] : [];
  });
  texts.sort((a, b) => a.text.length - b.text.length);
  const lengths = binningOf(LENGTH_FIELD, columnOf(Float64Array.from(texts, (one) => one.text.length)));
  if (lengths === null) return null;
  return { texts, lengths, ofRecords: texts.length < valued ? ` of ${numberText(texts.length)} records` : '' };
}

const LENGTH_CHART_HEIGHT = 268;

/** A chart of the lengths, the commonest words, and the shortest and the longest texts. */
export function textBlocks(collection: Collection, { texts, lengths, ofRecords }: FieldTexts): Content {
  const lengthChart = distributionChart(
    { field: LENGTH_FIELD, binning: lengths, counts: totalsOf(lengths) },
    { id: 'lengths', height: LENGTH_CHART_HEIGHT, range: null, path: '', pairs: [], hasMedian: true, minWidth: 330 },
  );
  const words = commonWords(collection, texts);
  const differentTexts = [...new Map(texts.map((one) => [one.text, one])).values()];
  const ofLengths = `characters${ofRecords}`;
  const list = (title: string, some: FieldTexts['texts']): Html => {
    const items = some.map(({ row, text }) => {
      const record = { id: idOfRow(collection.ids, row), title: shortened(text, SHOWN_TEXT_CHARACTERS) };
      return topItem(collection.model.name, record, numberText(text.length));
    });
    return block('half', topList(title, ofLengths, items));
  };
  const ofWords = `records${ofRecords && `,${ofRecords}`}`;
  return [
    block(words.length > 0 ? 'wide' : 'whole', html`${blockHead('Length', ofLengths)}${chart(lengthChart)}`),
    words.length > 0 && block('third', html`${blockHead('Commonest words', ofWords)}${countBars(words)}`),
    list('Shortest', differentTexts.slice(0, SHOWN_TEXTS)),
    list('Longest', differentTexts.slice(-SHOWN_TEXTS).toReversed()),
  ];
}

const SHOWN_TEXTS = 5;
const SHOWN_TEXT_CHARACTERS = 160;

const WHOLE_WORD = /\p{L}[\p{L}\p{N}\p{M}]+/gu;
const MAX_COMMON_WORDS = 10;
/** Longer texts are read to here: their commonest words are hardly others further on. */
const MAX_READ_CHARACTERS = 2000;

/** The words that most texts have, more than one each, stop words left out. */
function commonWords({ search }: Collection, texts: FieldTexts['texts']) {
  const stopWords = stopWordsOf(search.language);
  const counts = new Map<string, number>();
  for (const { text } of texts) {
    const words = new Set(text.slice(0, MAX_READ_CHARACTERS).toLowerCase().match(WHOLE_WORD));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Array.from(counts, ([name, records]) => ({ name, address: null, records }))
    .filter(({ name, records }) => records > 1 && !stopWords.has(fold(name)))
    .sort((a, b) => b.records - a.records)
    .slice(0, MAX_COMMON_WORDS);
}
