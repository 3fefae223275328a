import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { settings } from '#lib/config/settings.ts';
import { docsGroups, docsNames } from '#lib/representations/docs/page-rows.ts';
import { send } from '../../support/clients/http-client.ts';
import { readBlocks, readDocsText } from '../../support/docs-texts.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const readme = readFileSync(`${import.meta.dirname}/../../../README.md`, 'utf8');
const example = readFileSync(`${import.meta.dirname}/../../../.env.example`, 'utf8');
const run = promisify(execFile);

const server = shareServer();

/** The commands in the README, with their output. */
function readCommands(): { command: string; output: string }[] {
  const blocks = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((example) => {
      const [command = '', ...output] = example.split('\n');
      return { command, output: output.join('\n') };
    });
}

test('the README’s commands print the output that it shows', async () => {
  const commands = readCommands();
  expect(commands).toHaveLength(3);
  for (const { command, output } of commands) {
    const { stdout } = await run('sh', [
      '-c',
      command.replaceAll('http://localhost:3000', server.url),
    ]);
    expect(stdout).toBe(output);
  }
});

test('the documentation begins with the same commands', async () => {
  const { text } = await send(server, '/docs.md');
  const shown = text.replaceAll(siteUrl, 'http://localhost:3000');
  for (const { command, output } of readCommands()) {
    expect(shown).toContain(`\n$ ${command}\n${output}`);
  }
});

test('the commands of /docs/api get what they request', async () => {
  const page = await send(server, '/docs/api.md');
  const text = page.text
    .replaceAll(siteUrl, server.url)
    .replaceAll(/(?<=events\/)(?:recV7kQ2mXw4Tn9Lb|lantern-jam)/g, server.slug);
  const commands = readBlocks(text, 'sh').flatMap((block) => block.trim().split('\n'));
  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands) {
    // A stream does not end.
    const limit = command.includes('event-stream') ? ' --max-time 1 || [ $? = 28 ]' : '';
    const curl = command.replace('curl ', 'curl -sS --fail ');
    const { stdout } = await run('sh', ['-c', curl + limit]);
    if (limit === '') expect(stdout, command).not.toBe('');
  }
  const [tagCommand = '', sendTag = ''] = [...text.matchAll(/^\$ (curl .*)/gm)].map(
    ([, line = '']) => line,
  );
  const { stdout: tagLine } = await run('sh', ['-c', tagCommand]);
  const tag = /"[^"]+"/.exec(tagLine)?.[0] ?? '';
  const { stdout } = await run('sh', ['-c', sendTag.replace('"the tag"', tag)]);
  expect(stdout).toMatch(/^HTTP\/1\.1 304/);
});

test('every page with commands is one whose commands a test runs', () => {
  const hasCommands = (name: string) => /```(?:sh|console)\n/.test(readDocsText(name || 'index'));
  const forOperators = docsGroups[1]?.map(({ path }) => path.replace('/docs/', '')) ?? [];
  const others = docsNames.filter((name) => hasCommands(name) && !forOperators.includes(name));
  // `/docs` and `/docs/api` above, `/docs/ai` in docs-snippets.test.ts, those for operators in operate.test.ts, and
  // `/docs/connect` in connect.test.ts, and `/docs/agents`, but for VS Code’s, by `npm run test:agents:demo`.
  expect(others).toEqual(['', 'api', 'ai', 'connect', 'agents']);
});

test('every URL of the README’s table has the type that it names', async () => {
  const types = [
    ['/', 'text/html'],
    ['/index.md', 'text/markdown'],
    ['/api/v1/events', 'application/json'],
    ['/api/v1/events/rss', 'application/rss+xml'],
    ['/api/v1/events/feed.atom', 'application/atom+xml'],
    ['/api/v1/events/feed.json', 'application/feed+json'],
    ['/api/v1/events/calendar.ics', 'text/calendar'],
    ['/llms.txt', 'text/plain'],
    ['/llms-full.txt', 'text/plain'],
    ['/sitemap.xml', 'application/xml'],
    ['/api/v1/openapi.json', 'application/json'],
    ['/media/og.jpg', 'image/jpeg'],
  ] as const;
  for (const [path, mediaType] of types) {
    expect(readme).toContain(`\`${path}\``);
    const response = await fetch(server.url + path);
    expect(response.status, path).toBe(200);
    expect(response.headers.get('content-type'), path).toContain(mediaType);
  }
});

test('.env.example lists every setting', () => {
  expect(Object.keys(settings).filter((name) => !example.includes(name))).toEqual([]);
});
