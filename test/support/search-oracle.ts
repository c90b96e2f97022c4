/**
 * Search written from its definition: every record is looked at, nothing is precomputed. Texts are words of ASCII
 * letters with spaces between them, so that a word is what stands between spaces.
 */

import { MAX_SPELLINGS, MIN_MISSPELLING_UNITS, MISSPELLING_RATIO } from '../../src/search/rank/expansion.js';
import { PAIRED_ROWS } from '../../src/search/rank/ranker.js';
import { impactScale, scaledWeight } from '../../src/search/scoring.js';
import { type TextOptions, USUAL } from '../../src/search/search.js';
import type { RankingParameters } from '../../src/search/tables.js';
import { wordRules } from '../../src/search/word-rules.js';

/** A query by its parts: `texts` are plain or quoted, in order. */
export interface OracleQuery {
  readonly parts: readonly {
    readonly kind: 'plain' | 'phrase' | 'excluded';
    readonly words: readonly string[];
    /** The field that must hold them, or must not; of plain parts with one word. */
    readonly field?: number | undefined;
  }[];
  /** The text ends in its last word, and that is plain: it may be the beginning of a word. */
  readonly open: boolean;
}

export interface OracleHit {
  readonly row: number;
  readonly score: number;
}

const { stem, isStopWord } = wordRules('english');

/** What a word, or two together, adds: an impact for each record that holds it. */
interface Evidence {
  readonly weight: number;
  readonly impacts: ReadonlyMap<number, number>;
}

/** A record: per field a list of texts. */
export type OracleRecord = readonly (readonly string[])[];

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Insertions, deletions, changes and swaps of neighbours that turn `a` into `b`. */
export function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const change = table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      table[i]![j] = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        table[i]![j] = Math.min(table[i]![j]!, table[i - 2]![j - 2]! + 1);
      }
    }
  }
  return table[a.length]![b.length]!;
}

export class Oracle {
  private readonly records: readonly OracleRecord[];
  /** The stems of each record's texts, by field. */
  private readonly stems: readonly (readonly (readonly (readonly string[])[])[])[];
  private readonly weights: readonly number[];
  private readonly k1: number;
  private readonly norms: readonly number[];
  private readonly vocabulary: readonly string[];

  /** `replaced` are words of records that are gone: still spellings of what their stems are found by. */
  constructor(
    records: readonly OracleRecord[],
    weights: readonly number[],
    { k1, b }: RankingParameters,
    replaced: readonly OracleRecord[] = [],
  ) {
    this.records = records;
    const stemsOf = (text: string): readonly string[] => words(text).map(stem);
    this.stems = records.map((record) => record.map((texts) => texts.map(stemsOf)));
    this.weights = weights;
    this.k1 = k1;
    const lengths = records.map((record) =>
      sum(record.map((texts, field) => weights[field]! * words(texts.join(' ')).length)),
    );
    const mean = sum(lengths) / records.length || 1;
    this.norms = lengths.map((length) => k1 * (1 - b + (b * length) / mean));
    const wordsOf = (some: readonly OracleRecord[]): string[] => some.flatMap((record) => record.flat().flatMap(words));
    const stems = new Set(wordsOf(records).map(stem));
    this.vocabulary = [...new Set(wordsOf([...records, ...replaced]))].filter((word) => stems.has(stem(word)));
  }

  /** Occurrences of `wanted`, stems one after the other, `apart` words apart, by field, each as often as it weighs. */
  private frequencies(row: number, wanted: readonly string[], apart = 1): readonly number[] {
    const inText = (stems: readonly string[]): number =>
      stems.filter((_, at) => wanted.every((word, i) => stems[at + i * apart] === word)).length;
    return this.stems[row]!.map((texts, field) => this.weights[field]! * sum(texts.map(inText)));
  }

  private frequency(row: number, wanted: readonly string[], apart = 1): number {
    return sum(this.frequencies(row, wanted, apart));
  }

  private holds(row: number, wanted: readonly string[], field: number | undefined): boolean {
    return field === undefined ? this.frequency(row, wanted) > 0 : (this.frequencies(row, wanted)[field] ?? 0) > 0;
  }

  private rows(): number[] {
    return this.records.map((_, row) => row);
  }

  private rowsWith(stems: readonly string[]): number[] {
    return this.rows().filter((row) => stems.some((one) => this.frequency(row, [one]) > 0));
  }

  private idf(frequency: number): number {
    return Math.log(1 + (this.records.length - frequency + 0.5) / (frequency + 0.5));
  }

  /** What a term weighs that so many records hold. */
  private weight(frequency: number): number {
    return this.idf(frequency) * (this.k1 + 1);
  }

  /** BM25's saturation, in 255 steps. */
  private impact(row: number, frequency: number): number {
    return Math.max(1, Math.floor((255 * frequency) / (frequency + this.norms[row]!) + 0.5));
  }

  /** What a stem, or two of them so far apart, adds to the records that hold it. */
  private evidence(weight: number, stems: readonly string[], apart = 1): Evidence {
    const impacts = new Map<number, number>();
    for (const row of this.rows()) {
      const frequency = this.frequency(row, stems, apart);
      if (frequency > 0) impacts.set(row, this.impact(row, frequency));
    }
    return { weight, impacts };
  }

  /** Rows by what the evidence of their words adds; the first of them once more, with what that of their pairs adds. */
  private ranked(
    rows: readonly number[],
    words: readonly Evidence[],
    pairs: readonly Evidence[],
    factorOf = (_: number): number => 1,
  ): OracleHit[] {
    const scale = impactScale([...words, ...pairs].map(({ weight }) => weight));
    const sumOf = (row: number, some: readonly Evidence[]): number =>
      Math.round(
        sum(some.map(({ weight, impacts }) => scaledWeight(weight, scale) * (impacts.get(row) ?? 0))) * factorOf(row),
      );
    const best = (a: OracleHit, b: OracleHit): number => b.score - a.score || a.row - b.row;
    const byWords = rows.map((row) => ({ row, score: sumOf(row, words) })).sort(best);
    const byPairs = byWords
      .slice(0, PAIRED_ROWS)
      .map(({ row, score }) => ({ row, score: score + sumOf(row, pairs) }))
      .sort(best);
    return [...byPairs, ...byWords.slice(PAIRED_ROWS)].map(({ row, score }) => ({ row, score: score / scale / 255 }));
  }

  private stemsWithPrefix(prefix: string, except: string): string[] {
    const found = this.vocabulary.filter((word) => word.startsWith(prefix)).map(stem);
    return [...new Set(found)].filter((one) => one !== except);
  }

  private nearestStems(word: string): string[] {
    const most = word.length < 4 ? 0 : word.length < 8 || /[0-9]/.test(word) ? 1 : 2;
    for (let edits = 1; edits <= most; edits++) {
      const found = this.vocabulary.filter((other) => distance(word, other) === edits);
      if (found.length > 0) return [...new Set(found.map(stem))];
    }
    return [];
  }

  /** The words one edit away that so many times more records have. */
  private commonerStems(word: string): string[] {
    const least = MISSPELLING_RATIO * this.rowsWith([stem(word)]).length;
    const near = this.vocabulary.filter(
      (other) => !isStopWord(other) && distance(word, other) === 1 && this.rowsWith([stem(other)]).length >= least,
    );
    return word.length < MIN_MISSPELLING_UNITS ? [] : [...new Set(near.map(stem))];
  }

  /** What every record has in common with one, by the 32 stems that tell most of it; the best first. */
  similar(row: number): OracleHit[] {
    const times = new Map<string, number>();
    this.records[row]!.forEach((texts, field) => {
      for (const word of words(texts.join(' ')).filter((one) => !isStopWord(one)))
        times.set(stem(word), (times.get(stem(word)) ?? 0) + this.weights[field]!);
    });
    const telling = [...times]
      .map(([one, count]) => ({ one, frequency: this.rowsWith([one]).length, weight: 1 + Math.log(count) }))
      .filter(({ frequency }) => frequency > 1)
      .map((term) => ({ ...term, told: term.weight * this.idf(term.frequency) }))
      .sort((a, b) => b.told - a.told)
      .slice(0, 32);
    const evidence = telling.map(({ one, frequency, weight }) => this.evidence(this.weight(frequency) * weight, [one]));
    return this.ranked(this.rowsWith(telling.map(({ one }) => one)), evidence, []);
  }

  /** `factorOf` is what a row's sums are multiplied by. */
  search(
    { parts, open }: OracleQuery,
    { match, fuzzy, prefix }: TextOptions = USUAL,
    accepts: (row: number) => boolean = () => true,
    factorOf = (_: number): number => 1,
  ): OracleHit[] {
    const asked = parts
      .flatMap((part, run) => part.words.map((text, position) => ({ ...part, text, run, position })))
      .filter((word) => word.kind !== 'excluded');
    const kept = asked.filter((word) => word.kind === 'phrase' || word.field !== undefined || !isStopWord(word.text));
    const query = kept.length > 0 ? kept : asked;
    const last = open && prefix ? asked.at(-1) : undefined;
    const isKnown = (one: string): boolean => this.rowsWith([one]).length > 0;

    const times = new Map<string, number>();
    for (const { text } of query) times.set(stem(text), (times.get(stem(text)) ?? 0) + 1);
    const exact = [...times].map(([one, count]) =>
      this.evidence(this.weight(this.rowsWith([one]).length) * count, [one]),
    );
    /** What stands in the place of words that do not occur. */
    const tolerated: Evidence[] = [];
    /** What longer or commoner forms of a word that itself occurs add, where no word itself occurs. */
    const later: Evidence[] = [];
    const addTolerated = (into: Evidence[], stems: readonly string[], share: number): void => {
      const weight = share * this.weight(this.rowsWith(stems).length);
      into.push(...stems.map((one) => this.evidence(weight, [one])));
    };
    const seen = new Set<string>();
    /** What each word stands for besides its own stem. */
    const expansions = new Map<string, string[]>();
    let misspelt = 0;
    for (const word of query) {
      const one = stem(word.text);
      const isOpen = word === last;
      if (word.kind === 'phrase') continue;
      const longer = isOpen ? this.stemsWithPrefix(word.text, one) : [];
      const isSpelt = fuzzy && longer.length === 0 && !seen.has(word.text);
      if (isSpelt) seen.add(word.text);
      const near = !isSpelt
        ? []
        : isKnown(one)
          ? this.commonerStems(word.text)
          : misspelt++ < MAX_SPELLINGS
            ? this.nearestStems(word.text)
            : [];
      expansions.set(word.text, [...(expansions.get(word.text) ?? []), ...longer, ...near]);
      const into = isKnown(one) ? later : tolerated;
      if (longer.length > 0) addTolerated(into, longer, 0.5);
      if (near.length > 0) addTolerated(into, near, 0.25);
    }
    const pairs = new Map<string, Evidence>();
    query.slice(1).forEach((second, i) => {
      const first = query[i]!;
      const apart = second.position - first.position;
      const stems = [stem(first.text), stem(second.text)];
      const holders = stems.map((one) => this.rowsWith([one]).length);
      if (first.run !== second.run || apart > 4 || stems[0] === stems[1] || Math.min(...holders) === 0) return;
      pairs.set(`${stems} ${apart}`, this.evidence(0.3 * this.weight(Math.max(...holders)), stems, apart));
    });

    const holds = (row: number, { words: phrase, field }: OracleQuery['parts'][number]): boolean =>
      this.holds(row, phrase.map(stem), field);
    /** Words that must occur, themselves or in what they stand for. */
    const needed = query.filter((word) => word.kind === 'plain' && (match === 'all' || word.field !== undefined));
    const meets = (row: number, { text, field }: (typeof query)[number]): boolean =>
      [stem(text), ...(expansions.get(text) ?? [])].some((one) => this.holds(row, [one], field));
    const hasAny = (row: number, some: readonly Evidence[]): boolean => some.some(({ impacts }) => impacts.has(row));
    const rows = this.rows()
      .filter((row) => hasAny(row, exact) || hasAny(row, tolerated) || hasAny(row, later))
      .filter((row) => needed.every((word) => meets(row, word)))
      .filter((row) => parts.every((part) => part.kind !== 'phrase' || part.words.length === 0 || holds(row, part)))
      .filter((row) => !parts.some((part) => part.kind === 'excluded' && holds(row, part)))
      .filter(accepts);
    const known = exact.filter(({ impacts }) => impacts.size > 0);
    return [
      ...this.ranked(
        rows.filter((row) => hasAny(row, exact)),
        [...known, ...tolerated],
        [...pairs.values()],
        factorOf,
      ),
      ...this.ranked(
        rows.filter((row) => !hasAny(row, exact)),
        [...tolerated, ...later],
        [],
        factorOf,
      ),
    ];
  }
}
