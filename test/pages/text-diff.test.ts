/** Differences of two long texts as markup: what is struck through was there, what is marked is new. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Content } from '../../src/http/markup/html.js';
import { textDiff } from '../../src/http/pages/changes/text-diff.js';

const LIMITS = { characters: 50_000, paragraphs: 50 };
const markupOf = (content: Content): string => String(content ?? 'nothing');
const diff = (before: string, after: string, limits = LIMITS): string => markupOf(textDiff(before, after, limits));
const inside = (paragraphs: string): string => `<div class="diff stack">${paragraphs}</div>`;
const LONG = `${'words that stay as they are and fill a line or two, '.repeat(4)}the end`;

describe('two texts', () => {
  test.each([
    ['equal', 'One.\n\nTwo.', 'One.\n\nTwo.', 'nothing'],
    ['with other white space', 'One  two.', 'One two.', 'nothing'],
    [
      'with another word',
      'Daily.\n\nRuns daily.',
      'Daily.\n\nRuns weekly.',
      '<p>Runs <del>daily</del><ins>weekly</ins>.</p>',
    ],
    ['with a paragraph more', 'One.', 'One.\n\nTwo.', '<p><ins>Two.</ins></p>'],
    ['with a paragraph fewer', 'One.\n\nTwo.', 'Two.', '<p><del>One.</del> </p>'],
    ['of which the first is missing', '', 'One.', '<p><ins>One.</ins></p>'],
    [
      'with markup in them',
      '<b>x</b>',
      '<i>x</i>',
      '<p>&lt;<del>b</del><ins>i</ins>&gt;x&lt;/<del>b</del><ins>i</ins>&gt;</p>',
    ],
    [
      'whose words around the edit are many',
      `${LONG} old ${LONG}`,
      `${LONG} new ${LONG}`,
      '<p>… that stay as they are and fill a line or two, the end <del>old</del><ins>new</ins> words that stay as they are and fill a line or two, words …</p>',
    ],
  ])('%s', (_, before, after, expected) => {
    expect(diff(before, after)).toBe(expected === 'nothing' ? expected : inside(expected));
  });

  test('of more changed paragraphs than are shown', () => {
    const text = (word: string) => ['a', 'b', 'c'].map((name) => `${name} ${word}`).join('\n\n');
    expect(diff(text('old'), text('new'), { characters: 100, paragraphs: 1 })).toBe(
      inside('<p>a <del>old</del><ins>new</ins></p><p class="soft">and 2 more paragraphs</p>'),
    );
  });

  test('that differ beyond the compared beginning', () => {
    expect(diff(`${LONG} old`, `${LONG} new`, { characters: 50, paragraphs: 3 })).toBe('nothing');
  });

  test('without a paragraph in common, of thousands', () => {
    const text = (word: string) => Array.from({ length: 5000 }, (_, i) => `${word}${i}`).join('\n\n');
    expect(diff(text('a'), text('b'))).toBe('nothing');
  });
});

test('without what is marked a paragraph is the old one, without what is struck through the new one', () => {
  const anyText = fc.array(fc.constantFrom('tea', 'cup', 'pot', 'of', '1.5', 'x-y', 'é'), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      fc.pre(before.join(' ') !== after.join(' '));
      const markup = diff(before.join(' '), after.join(' '));
      const wordsOf = (text: string) =>
        text
          .replace(/<[^>]*>/g, '')
          .split(/\s+/)
          .filter((word) => word !== '');
      expect(wordsOf(markup.replace(/<ins>.*?<\/ins>/g, ''))).toEqual(before);
      expect(wordsOf(markup.replace(/<del>.*?<\/del>/g, ''))).toEqual(after);
    }),
    { numRuns: 200 },
  );
});
