/** Advice that can be copied starts this program, and no other package of its name. */
import { expect, test } from 'vitest';
import { commandName } from '../../src/commands/place.js';

test.each([
  [
    '/app/dist/main.js',
    { npm_command: 'exec', npm_config_package: './api-1.0.0.tgz' },
    'npx --yes --package ./api-1.0.0.tgz scraper-data-api',
  ],
  [
    '/app/dist/main.js',
    { npm_command: 'exec', npm_config_package: './my dumps/api.tgz' },
    "npx --yes --package './my dumps/api.tgz' scraper-data-api",
  ],
  ['/app/node_modules/scraper-data-api/dist/main.js', { npm_command: 'exec' }, 'npx --no scraper-data-api'],
  ['/app/node_modules/scraper-data-api/dist/main.js', {}, 'npx --no scraper-data-api'],
  [`${process.cwd()}/dist/main.js`, { npm_command: 'start' }, 'node dist/main.js'],
])('%s %j → %s', (main, env, name) => expect(commandName(main, env)).toBe(name));
