/**
 * What the modules `*-kernel.ts` come to, worked out once, where the program is bundled: a start would take some 30
 * milliseconds on each of its threads to put WebAssembly together. A module that exports kernels becomes their bytes and its
 * other constants; functions that it has for other kernels are not needed any more.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'rolldown';

const ALL = 'kernels';

const isKernel = (value) => typeof value === 'function' && value.bytes instanceof Uint8Array;

const kernelText = ({ bytes }) =>
  `/* @__PURE__ */ kernelOf(/* @__PURE__ */ Buffer.from('${Buffer.from(bytes).toString('base64')}', 'base64'))`;

/** A constant as it is written; throws where it would not be the same again. */
function constantText(name, value) {
  const text = JSON.stringify(value);
  if (text === undefined || !isDeepStrictEqual(JSON.parse(text), value)) throw new Error(`${name} is more than data`);
  return text;
}

/** The text of a module with such exports. */
function textOf(exported, wasm) {
  const lines = Object.entries(exported).flatMap(([name, value]) => {
    if (typeof value === 'function' && !isKernel(value)) return [];
    return [`export const ${name} = ${isKernel(value) ? kernelText(value) : constantText(name, value)};`];
  });
  return [`import { kernelOf } from ${JSON.stringify(wasm)};`, ...lines].join('\n');
}

/** A plugin that gives the kernels under a folder as their bytes. */
export async function kernelsIn(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('-kernel.ts'))
    .map((file) => join(folder, file));
  const all = files.map((file, i) => `export * as kernel${i} from ${JSON.stringify(file)};`).join('\n');
  const { output } = await build({
    input: ALL,
    platform: 'node',
    plugins: [{ name: ALL, resolveId: (id) => (id === ALL ? id : null), load: (id) => (id === ALL ? all : null) }],
    write: false,
  });
  const code = Buffer.from(output[0].code).toString('base64');
  const modules = await import(`data:text/javascript;base64,${code}`);
  const wasm = join(folder, 'wasm.ts');
  const texts = new Map();
  for (const [i, file] of files.entries()) {
    const exported = modules[`kernel${i}`];
    if (Object.values(exported).some(isKernel)) texts.set(file, textOf(exported, wasm));
  }
  return { name: ALL, load: (id) => texts.get(id) ?? null };
}
