/**
 * The licences of what the bundle holds, as `THIRD-PARTY-NOTICES.txt` has them: a text for each package whose modules are built
 * in, and for the works that such a package was made from.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package that a module belongs to: `…/node_modules/markdown-it/node_modules/entities`. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** The stemmers are programs that the Snowball compiler made, or translations of its algorithms, so its notice is due. */
const SNOWBALL = {
  packages: ['@orama/stemmers', 'porter2'],
  text: `Snowball, whose stemming algorithms these packages have

Copyright (c) 2001, Dr Martin Porter
Copyright (c) 2004,2005, Richard Boulton
Copyright (c) 2013, Yoshiki Shibukawa
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions
are met:

  1. Redistributions of source code must retain the above copyright notice,
     this list of conditions and the following disclaimer.
  2. Redistributions in binary form must reproduce the above copyright notice,
     this list of conditions and the following disclaimer in the documentation
     and/or other materials provided with the distribution.
  3. Neither the name of the Snowball project nor the names of its contributors
     may be used to endorse or promote products derived from this software
     without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR
ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON
ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
`,
};

const RULE = `\n${'-'.repeat(80)}\n\n`;

/** A file that begins with LICENSE or NOTICE: the Apache licence demands that the latter goes along. */
const isNotice = (entry) => /^(?:licen[cs]e|notice)/i.test(entry);

/** Dedications to the public domain, which no copy has to repeat. */
const NEED_NO_TEXT = ['Unlicense', 'CC0-1.0'];

/** Throws where a package has no licence. `moduleIds` are paths. */
export function noticesOf(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => PACKAGE_FOLDER.exec(id)?.[0] ?? []));
  const packages = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter(isNotice)
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    if (texts.length === 0 && NEED_NO_TEXT.includes(license)) texts.push(`In the public domain (${license}).`);
    if (texts.length === 0) throw new Error(`${name} has no licence`);
    return { name, text: `${name} ${version}\n\n${texts.join('\n\n')}\n` };
  });
  const texts = [...new Set(packages.map(({ text }) => text))].sort();
  const hasSnowball = packages.some(({ name }) => SNOWBALL.packages.includes(name));
  const heading = 'The program in dist/ has these works built in, besides its own files.\n';
  return [heading, ...texts, ...(hasSnowball ? [SNOWBALL.text] : [])].join(RULE);
}

/** The text of a file, or null where there is none. */
export const fileText = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null);
