/** Orama, in process. */
import { fileURLToPath } from 'node:url';

export default {
  title: 'Orama',
  kind: 'in process',
  packages: ['@orama/orama'],
  settings: [
    'all fields as one text: `threshold: 0` wants both words in the same field',
    'it finds beginnings of words: here no word begins another (`exact: true` tells capitals from small letters)',
    '`threshold: 1` for either word, `threshold: 0` for both; `tolerance: 1` where near spellings are asked for',
  ],
  cannot: { phrase: 'no phrases' },
  command: ({ json }) => [fileURLToPath(new URL('./engine.js', import.meta.url)), json],
};
