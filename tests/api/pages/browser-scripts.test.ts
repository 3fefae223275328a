import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fields } from '#lib/events/model/fields.ts';
import { getPage } from '../../support/clients/http-client.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();
const build = join(import.meta.dirname, '../../../.next');

/** Scripts of the build that have a text. */
function findScripts(folder: string, text: string): string[] {
  const scripts = globSync(`${folder}/**/*.js`, { cwd: build });
  return scripts.filter((script) => readFileSync(join(build, script), 'utf8').includes(text));
}

test('browsers load scripts of the build', async () => {
  expect(findScripts('static', '').length).toBeGreaterThan(10);
  expect((await getPage(server, '/')).text).toContain('/_next/static/');
});

// The server has them, so that the texts are those by which a script would be found.
test.each([
  ['the table of fields', fields.series.holds],
  ['zod', '_zod'],
])('the scripts of browsers are without %s', (_, text) => {
  expect(findScripts('server', text)).not.toEqual([]);
  expect(findScripts('static', text)).toEqual([]);
});
