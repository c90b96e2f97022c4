/** FlexSearch, in process. Its score is the place of a word in its text. */
import { fileURLToPath } from 'node:url';

export default {
  title: 'FlexSearch',
  kind: 'in process',
  packages: ['flexsearch'],
  settings: [
    '`Index` with `tokenize: "strict"` over all fields as one text; `suggest: true` finds either word',
    'it gives no totals, so all results are asked for',
  ],
  cannot: { phrase: 'no phrases', misspelt: 'no near spellings' },
  command: ({ json }) => [fileURLToPath(new URL('./engine.js', import.meta.url)), json],
};
