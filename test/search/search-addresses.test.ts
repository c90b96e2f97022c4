import { expect, it } from 'vitest';
import { createSearchBuilder } from '../support/search-builder.js';

const TITLES = [
  'red car, blue e-mail',
  'a red car on the road 3.14',
  `${'car '.repeat(300)}red`,
  '東京大学の猫',
  `${'漢字'.repeat(60)}`,
  'node.js servers',
  ...Array.from({ length: 100 }, (_, i) => `record ${i} the number ${i % 7}`),
];
const TEXTS = [
  'red car ',
  '"red car"',
  'title:red',
  '猫',
  'recrod 17 ',
  'the number -3',
  'serv',
  '"number 3"',
  'node.js ',
];
const FIELDS = [{ name: 'title', weight: 3 }];

/** What an index answers whose memory begins at this address. */
function answersAt(firstAddress: number): unknown {
  const builder = createSearchBuilder(FIELDS, undefined, { firstAddress });
  for (const title of TITLES) builder.add([title]);
  const index = builder.finish(Int32Array.from(TITLES.keys()));
  return TEXTS.map((text) => {
    const { rows, scores, total } = index.search(text, 20);
    return { text, rows: [...rows], scores: [...scores], total };
  });
}

it('an index whose memory lies beyond 2 GiB, where addresses are negative as signed numbers, answers as any other', () => {
  const expected = answersAt(0);
  expect(answersAt(2 ** 31 - 1000)).toEqual(expected);
  expect(answersAt(2 ** 31)).toEqual(expected);
  expect(answersAt(3 * 2 ** 30)).toEqual(expected);
});
