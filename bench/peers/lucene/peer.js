/** Lucene, in process, where Java and its library are installed (Debian: `liblucene8-java` and a JDK). */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const jar = '/usr/share/java/lucene-core-8.7.0.jar';
const analyzers = '/usr/share/java/lucene-analyzers-common-8.7.0.jar';

export default {
  title: 'Lucene 8',
  kind: 'in process',
  packages: [],
  version: '8.7',
  settings: [
    'words of `StandardTokenizer` in small letters, BM25, an index in memory-mapped files of one segment, exact totals',
    'the start compiles its program; `FuzzyQuery` of one edit where near spellings are asked for',
  ],
  cannot: {},
  missing: () => (existsSync(jar) && existsSync(analyzers) ? null : 'needs liblucene8-java'),
  program: 'java',
  command: ({ tsv, work }) => [
    '-cp',
    `${jar}:${analyzers}`,
    fileURLToPath(new URL('./Engine.java', import.meta.url)),
    tsv,
    work,
  ],
};
