/**
 * `src/kernels/*.ts` (AssemblyScript) → `src/kernels/compiled.ts`, their modules as bytes, which everything else imports:
 * the program, tests and benches alike. Nothing is compiled again while the sources and the compiler are the same.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('kernels', import.meta.url));
const compiled = join(folder, 'compiled.ts');

/** The entry files, one for each memory that kernels work in. `isShared`: whether threads share that memory. */
const ENTRIES = [
  { name: 'json', isShared: false },
  { name: 'words', isShared: false },
  { name: 'parts', isShared: false },
  { name: 'inversion', isShared: true },
  { name: 'ranking', isShared: true },
];

const FLAGS = [
  '-O3 --noAssert --runtime stub --importMemory --noExportMemory --initialMemory 1 --enable simd',
  '--enable bulk-memory --enable sign-extension',
].join(' ');
const SHARED_FLAGS = '--enable threads --sharedMemory --maximumMemory 65536';

/** Says what the compiled kernels are made of. */
function fingerprint() {
  const hash = createHash('sha256');
  const { version } = createRequire(import.meta.url)('assemblyscript/package.json');
  hash.update(version).update(readFileSync(fileURLToPath(import.meta.url)));
  for (const file of sources()) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

const sources = () =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && file !== 'compiled.ts')
    .sort();

/** Whether the kernels are compiled from what the sources are now. */
const isCurrent = () => existsSync(compiled) && readFileSync(compiled, 'utf8').includes(fingerprint());

/** Decorators of AssemblyScript are comments to TypeScript, and imports of types are unknown to AssemblyScript. */
const prepared = (text) =>
  text.replaceAll(/\/\* (@inline|@unmanaged) \*\//g, '$1').replaceAll('import type {', 'import {');

function readSource(name, base) {
  const path = resolve(base ?? '.', name.replace(/\.js\.ts$/, '.ts'));
  return existsSync(path) ? prepared(readFileSync(path, 'utf8')) : null;
}

async function compile(asc, { name, isShared }) {
  let log = '';
  let bytes;
  const write = (text) => {
    log += text;
  };
  const flags = `${FLAGS}${isShared ? ` ${SHARED_FLAGS}` : ''}`.split(' ');
  const { error } = await asc.main([join(folder, `${name}.ts`), '-o', 'kernel.wasm', ...flags], {
    stdout: { write },
    stderr: { write },
    readFile: readSource,
    writeFile: (_, contents) => {
      bytes = contents;
    },
    listFiles: () => [],
  });
  if (error || bytes === undefined) throw new Error(`${name} is not compiled: ${log || error}`);
  if (hasData(bytes)) throw new Error(`${name} has data of its own, which would overwrite what its callers keep there`);
  return Buffer.from(bytes);
}

const DATA_SECTION = 11;

/** Whether a module has a data section: https://webassembly.github.io/spec/core/binary/modules.html#sections */
function hasData(bytes) {
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at++];
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      size |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    if (id === DATA_SECTION) return true;
    at += size;
  }
  return false;
}

const constantOf = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

export async function compileKernels() {
  if (isCurrent()) return;
  const { default: asc } = await import('assemblyscript/asc');
  const lines = [`/** Compiled by \`src/compile-kernels.js\` from ${fingerprint()}. */`];
  for (const entry of ENTRIES) {
    const bytes = await compile(asc, entry);
    const text = `/* @__PURE__ */ Buffer.from('${bytes.toString('base64')}', 'base64')`;
    lines.push(`export const ${constantOf(entry.name)}: Uint8Array = ${text};`);
  }
  // Replaced in one step: others may build at the same time.
  const draft = `${compiled}.${process.pid}`;
  writeFileSync(draft, `${lines.join('\n')}\n`);
  renameSync(draft, compiled);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) await compileKernels();
  else if (!isCurrent())
    throw new Error('kernels are not compiled from what the sources are now: npm run build:kernels');
}
