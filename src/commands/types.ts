/** The command `types`: prints TypeScript interfaces of the dump's collections, as `/api/types.d.ts` has them. */
import type { Command } from '../config/command-line.js';
import { typesText } from '../http/openapi/typescript.js';
import { loadSnapshots } from '../load/load.js';
import type { CollectionModel } from '../model.js';
import { withFiles } from './dump-source.js';
import { newestDump } from './newest-dump.js';
import { commandName, placeFault } from './place.js';
import { fail, failAll, say, textLines, withProgress } from './terminal.js';

export async function types({ place, isAddedUp, options }: Command & { kind: 'types' }, main: string): Promise<void> {
  const missing = placeFault(place);
  if (missing !== undefined) return fail(`${missing} Name a file or folder: ${commandName(main)} types PATH…`);
  /** A collection may be opened once more with other fields: the last ones count. */
  const models = new Map<string, CollectionModel>();
  const result = await withFiles((await newestDump(place, isAddedUp)).place, (files) =>
    withProgress((onProgress) =>
      loadSnapshots({
        ...files,
        onProgress,
        onCollection(model) {
          models.set(model.name, model);
          return () => [];
        },
      }),
    ),
  );
  if (!result.ok) return failAll(result);
  const names = new Set(result.report.files.map(({ collection }) => collection));
  const presentModels = [...models.values()].filter(({ name }) => names.has(name));
  if (presentModels.length === 0)
    return fail(`${place.dir}: expected a file of records in JSON, NDJSON or CSV, found none`);
  for (const line of textLines(typesText(presentModels, options).trimEnd())) say(line);
}
