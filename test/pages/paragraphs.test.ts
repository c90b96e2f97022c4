/** Texts as paragraphs take time by their length only. */
import { expect, test } from 'vitest';
import { paragraphsOf } from '../../src/http/pages/record/paragraphs.js';
import { expectLinear } from '../support/cost.js';

test('blank lines separate paragraphs, and white space around each goes', () => {
  expect(paragraphsOf('\n\na  \n \n\n b\nc\t\n\n')).toEqual(['a', 'b\nc']);
});

test.each([
  ' ',
  '\t',
  '\n',
  '\n\t',
  '\t\n',
  '\r',
  '\r\n',
  ' \n',
  '\u00a0',
  '\u2003',
  'a ',
  'a\n',
  '> ',
  '- ',
  '```',
  '1. ',
  'http://',
])('a text of nothing but %j takes time by its length only', async (unit) => {
  await expectLinear((length) => paragraphsOf(`a${unit.repeat(length / unit.length)}b`), 4000);
});
