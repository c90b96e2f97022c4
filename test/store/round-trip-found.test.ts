/** An export with all fields loads back the same, in any format: of products and of a collection of its own that has titles. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.js';
import { appOptions, datasetIn, getJson } from '../support/api.js';
import { withFolder } from '../support/program.js';
import { dumps, fileOf } from '../support/random-columns.js';

type Served = Awaited<ReturnType<typeof datasetIn>>;
const appOf = (served: Served) => createApp({ ...appOptions, served: () => served });
const kindsOf = ({ dataset }: Served, name: string) =>
  dataset.collections.get(name)?.model.fields.map(({ name: field, kind }) => `${field}: ${kind}`);

test('an export of all fields loads back the same, in any format', async () => {
  await fc.assert(
    fc.asyncProperty(dumps, async (dump) => {
      const { collection, records } = dump;
      await withFolder(fileOf(dump), async (dir) => {
        const served = await datasetIn(dir);
        const app = appOf(served);
        const path = `/api/export/${collection}?fields=*`;
        expect(await getJson(app, path)).toEqual(records);
        for (const format of ['json', 'ndjson', 'csv']) {
          const exported = await (await app.request(`${path}&format=${format}`)).text();
          await withFolder({ [`${collection}.${format}`]: exported }, async (copy) => {
            const again = await datasetIn(copy);
            expect([format, await getJson(appOf(again), path)]).toEqual([format, records]);
            expect([format, kindsOf(again, collection)]).toEqual([format, kindsOf(served, collection)]);
          });
        }
      });
    }),
    { numRuns: 15, seed: 44, endOnFailure: true },
  );
});
