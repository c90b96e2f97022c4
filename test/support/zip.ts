/** Writes ZIP files: the least of the format (APPNOTE 4.3) that a reader needs, without compression. */

export interface ZippedFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly isEncrypted?: boolean;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;

/** Numbers of 2 or 4 bytes, little-endian. */
const fields = (...values: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    values.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );

export function zipOf(files: readonly ZippedFile[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isEncrypted = false } of files) {
    const [nameBytes, bytes] = [Buffer.from(name), Buffer.from(content)];
    // An encrypted file has a header of 12 bytes before its contents.
    const stored = isEncrypted ? Buffer.concat([Buffer.alloc(12), bytes]) : bytes;
    const UTF8_NAMES = 0x800;
    const common = fields(
      ...([
        [2, 20],
        [2, UTF8_NAMES + (isEncrypted ? 1 : 0)],
        [2, 0],
        [2, 0],
        [2, 0x21],
        [4, 0],
      ] as const),
      ...([
        [4, stored.length],
        [4, bytes.length],
        [2, nameBytes.length],
        [2, 0],
      ] as const),
    );
    const local = Buffer.concat([fields([4, LOCAL_HEADER]), common, nameBytes, stored]);
    const rest = fields([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    directory.push(Buffer.concat([fields([4, CENTRAL_HEADER], [2, 20]), common, rest, nameBytes]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = fields(
    [4, END_OF_DIRECTORY],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, central.length],
    [4, offset],
    [2, 0],
  );
  return Buffer.concat([...locals, central, end]);
}
