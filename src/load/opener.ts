/** Opens files, as the collections that they may feed, by the mappings beside them. */
import type { CollectionModel } from '../model.js';
import type { Opener } from './fields/assign.js';
import { NO_MAPPING } from './fields/columns.js';
import { exportMapping, readMapping } from './fields/mapping.js';
import type { LaterValues } from './fields/plan.js';
import { type FileLayout, locateRecords } from './locate-records.js';
import { openFile } from './open-file.js';
import type { NamedLayout } from './place/json-layout.js';
import { listKey, mappingNameOf, mappingOf, type SnapshotFile, type SnapshotPlace } from './source/folder.js';

export interface OpenerOptions extends Pick<SnapshotPlace, 'baseUrl'> {
  /** Where the records stand in JSON files: `threads[].posts[]`. Else the files show it. */
  readonly records?: string;
  /** Whether HTML stays as it is. */
  readonly keepsHtml?: boolean;
}

/**
 * Opens files with their mappings. The place of a file's records is found once and remembered, whatever the file is opened as. `later`: what
 * records behind the sample have shown, by `listKey`.
 */
export function createOpener(
  { keepsHtml = false, baseUrl, records }: OpenerOptions,
  later: ReadonlyMap<string, LaterValues>,
): Opener {
  const layouts = new Map<string, FileLayout>();
  const locate = async (source: SnapshotFile, model: CollectionModel, withoutMapping?: null) => {
    const path = withoutMapping === null ? undefined : mappingOf(source);
    const mapping = path === undefined ? NO_MAPPING : await readMapping(model, path, mappingNameOf(source));
    if ('message' in mapping) return mapping;
    const place = source.list === undefined ? (mapping.records ?? records) : undefined;
    const options = { model, mapping, keepsHtml, baseUrl, place };
    // Another mapping may name another place of the same file.
    const key = place === undefined ? listKey(source) : `${source.path}\n${place}`;
    const layout = layouts.get(key) ?? (await locateRecords(source, options));
    if ('message' in layout) return layout;
    layouts.set(key, layout);
    for (const beside of besidesIn(layout)) layouts.set(listKey({ ...source, list: beside.name }), beside.layout);
    return { options, key, layout };
  };
  return {
    async open(source, model, withoutMapping, sharesIds) {
      const file = await locate(source, model, withoutMapping);
      if ('message' in file) return file;
      const { options, layout, key } = file;
      const mapping = exportMapping(options.mapping, model, layout.sample, source.format === 'csv');
      return openFile(source, { ...options, mapping, sharesIds }, layout, later.get(key));
    },
    async besides(source, model) {
      const file = await locate(source, model);
      return 'message' in file ? [] : besidesIn(file.layout).map(({ name }) => name);
    },
  };
}

const besidesIn = (layout: FileLayout): readonly NamedLayout[] => ('besides' in layout ? (layout.besides ?? []) : []);
