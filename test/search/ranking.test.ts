import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CollectionModel, collections } from '../../src/model.js';
import { createSearchBuilder } from '../support/search-builder.js';

type Ranking = readonly (readonly [title: string, reason: string])[];

const titlesOf = (ranking: Ranking): string[] => ranking.map(([title]) => title);

describe('a corpus made for it: every hit stands where it does for one reason', () => {
  const filler = 'about other things that are of no interest here at all';
  const records: readonly (readonly [title: string, content: string])[] = [
    ['Garden notes', `${filler} tulip`],
    ['Tulip', filler],
    ['Tulip mania', `tulip tulip tulip ${filler}`],
    ['Bulbs', `tulip ${filler} ${filler} ${filler} ${filler}`],
    ['Tulips', filler],
    ['Black tulip', filler],
    ['Tulip in black', filler],
    ['Tuliptree', filler],
    ['Tulip', filler],
  ];
  const builder = createSearchBuilder([
    { name: 'title', weight: 3 },
    { name: 'content', weight: 1 },
  ]);
  for (const record of records) builder.add(record);
  const index = builder.finish(Int32Array.from(records, (_, row) => row));
  const search = (text: string): string[] => Array.from(index.search(text, 20).rows, (row) => records[row]?.[0] ?? '');

  it.each<[string, Ranking]>([
    [
      'tulip',
      [
        ['Tulip mania', 'has the word most often'],
        ['Tulip', 'in the title counts three times, and the record is short; first of four alike by position'],
        ['Tulips', 'the same by its stem, second by position'],
        ['Tulip', 'the same, last by position'],
        ['Black tulip', 'a title one word longer'],
        ['Tulip in black', 'a title two words longer'],
        ['Garden notes', 'the word once, in the text'],
        ['Bulbs', 'the word once, in a much longer text'],
        ['Tuliptree', 'only begins with the word'],
      ],
    ],
    [
      'black tulip ',
      [
        ['Black tulip', 'both words, next to each other'],
        ['Tulip in black', 'both words, apart'],
        ['Tulip mania', 'one word, most often'],
        ['Tulip', 'one word, in a short title'],
        ['Tulips', 'the same, by position'],
        ['Tulip', 'the same, by position'],
        ['Garden notes', 'one word, in the text'],
        ['Bulbs', 'one word, in a much longer text'],
      ],
    ],
    ['"black tulip"', [['Black tulip', 'the only one with the phrase']]],
    [
      'tulip -black -mania -"garden notes" -bulbs ',
      [
        ['Tulip', 'first of three alike by position'],
        ['Tulips', 'second'],
        ['Tulip', 'third'],
      ],
    ],
    ['tuliptre', [['Tuliptree', 'begins with what was typed']]],
    ['tulpitree ', [['Tuliptree', 'two letters swapped']]],
  ])('%s', (text, expected) => {
    expect(search(text)).toEqual(titlesOf(expected));
  });
});

const SAMPLE = 'snapshots/sample/articles.json';

describe('the sample', () => {
  const articles: CollectionModel = collections[0];
  const fields = articles.fields.filter(({ searchWeight }) => searchWeight !== undefined);
  const records: readonly Record<string, unknown>[] = JSON.parse(readFileSync(SAMPLE, 'utf8'));
  const builder = createSearchBuilder(fields.map(({ name, searchWeight }) => ({ name, weight: searchWeight ?? 1 })));
  for (const record of records) {
    builder.add(
      fields.map(({ name }) => {
        const value = record[name];
        return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value : null;
      }),
    );
  }
  const index = builder.finish(Int32Array.from(records, (_, row) => row));
  const search = (text: string, limit: number): string[] =>
    Array.from(index.search(text, limit).rows, (row) => String(records[row]?.title));

  it.each<[string, Ranking]>([
    ['C#', [['Learning C# After Twenty Years of Shell Scripts', 'the only one with the sign, among many with a c']]],
    ['C++', [['C++ Templates, Error Messages, and a Printer Out of Paper', 'the only one with the signs']]],
    ['.NET', [['Moving a .NET Service to a Machine Under the Stairs', 'the full stop belongs to the name']]],
    ['3.14', [['Pi Day at 3.14 a.m., with Actual Pie', 'a number is one word']]],
    ['R&D', [['R&D & Ops Finally Share a Pager', 'no other record has the name']]],
    ['된장', [['된장 made on a balcony, year two', 'Korean is found by pairs of characters']]],
    ['chateau', [['I Wrote a Lisp in a Château Gift Shop', 'found without its accent']]],
    [
      'telescope',
      [
        ['Ask: Which Telescope, If Any, for a Nine-Year-Old?', 'the word in the title'],
        ['A Comet Named After Nobody ☄️', 'the word once in the text, the shortest of three'],
        ['Interview: She Grinds Mirrors in Coimbra Between Shifts', 'once in a longer text'],
        ['星空和路灯: How One Village Dimmed Its Lights', 'once in the longest: its Chinese title counts by pairs'],
      ],
    ],
    [
      'teles',
      [
        ['Ask: Which Telescope, If Any, for a Nine-Year-Old?', 'as for the whole word: it is the only one so begun'],
        ['A Comet Named After Nobody ☄️', 'the same'],
        ['Interview: She Grinds Mirrors in Coimbra Between Shifts', 'the same'],
        ['星空和路灯: How One Village Dimmed Its Lights', 'the same'],
      ],
    ],
    [
      'telscope ',
      [
        ['Ask: Which Telescope, If Any, for a Nine-Year-Old?', 'as for the right spelling, one letter off'],
        ['A Comet Named After Nobody ☄️', 'the same'],
        ['Interview: She Grinds Mirrors in Coimbra Between Shifts', 'the same'],
        ['星空和路灯: How One Village Dimmed Its Lights', 'the same'],
      ],
    ],
    [
      'leap second ',
      [
        ['Leap Seconds, Leap Years, and One Annoyed Sundial', 'both words, together, in the title'],
        ['A bone flute with 4 holes, or maybe 5', 'both words, apart, in the text'],
        ['Show: a metronome that listens back 🥁', 'the rarer of the two words'],
      ],
    ],
    [
      'bike lane ',
      [
        ['Ask: how do you measure a bad bike lane?', 'both words, together, in the title'],
        ["Cargo bikes in the rain 🚲: one courier's ledger", 'the rarer word in the title'],
        ['"Temporary" bus lane enters its eleventh year', 'the commoner word in the title, and twice in the text'],
      ],
    ],
    ['"bike lane"', [['Ask: how do you measure a bad bike lane?', 'the only one with the phrase']]],
    [
      'chess -club ',
      [
        ['将棋 for chess players: twelve things that tripped me', 'the word in the title'],
        ['Опять ничья: a correspondence game that took nineteen years', 'the word in text and tags'],
        ['Fonts & Files: Cutting a Typeface from 310 KB to 22', 'the word twice in the text'],
        ['Gdańsk stairwells: a photographic survey of 212 thresholds', 'the word once'],
      ],
    ],
  ])('%s', (text, expected) => {
    expect(search(text, expected.length)).toEqual(titlesOf(expected));
  });
});
