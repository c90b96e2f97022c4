/** The files in a ZIP file, listed and read without unpacking it. Loaded only where there is one. */
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** A file in a ZIP file. */
interface ZipEntry {
  readonly name: string;
  readonly bytes: number;
  readonly isEncrypted: boolean;
}

/** The files, without folders and what macOS adds; or what is wrong with the ZIP file. */
export async function listZip(path: string): Promise<readonly ZipEntry[] | string> {
  try {
    const zip = await openPromise(path);
    const entries: ZipEntry[] = [];
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize: bytes } = entry;
      if (name.endsWith('/') || name.startsWith('__MACOSX/') || basename(name).startsWith('.')) continue;
      entries.push({ name, bytes, isEncrypted: entry.isEncrypted() });
    }
    return entries;
  } catch (error) {
    return zipFault(error);
  }
}

/** The contents of a file in a ZIP file, which is closed when they have been read, or are destroyed. */
export async function openInZip(path: string, name: string): Promise<Readable | string> {
  try {
    const zip = await openPromise(path, { autoClose: false });
    const entry = await findEntry(zip, name);
    if (entry === undefined) {
      zip.close();
      return 'it is no longer in the ZIP file';
    }
    const stream = await zip.openReadStreamPromise(entry);
    return stream.once('close', () => zip.close());
  } catch (error) {
    return zipFault(error);
  }
}

async function findEntry(zip: ZipFile, name: string): Promise<Entry | undefined> {
  for await (const entry of zip.eachEntry()) if (entry.fileName === name) return entry;
  return undefined;
}

const zipFault = (error: unknown): string =>
  `the ZIP file is damaged, or was cut off: ${error instanceof Error ? error.message : String(error)}`;
