/** `node server.js DUMP PORT`: reads the bytes of the dump, and sends them, or a page of its first records. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [dump, port] = process.argv.slice(2);
const bytes = readFileSync(dump);
const first = bytes.toString('utf8', 0, 65536).split('\n').slice(1, 21);
const records = first.map((line) => JSON.parse(line.replace(/,$/, '')));
function lines(text) {
  let count = 0;
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) count++;
  return count;
}
const page = Buffer.from(
  JSON.stringify({
    data: records.map(({ content, tags, ...item }) => item),
    pagination: { total: lines(bytes) - 2, page: 1, limit: 20, totalPages: 0 },
  }),
);
createServer((request, response) => {
  const body = request.url === '/api/export/articles' ? bytes : page;
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}).listen(Number(port), '127.0.0.1');
