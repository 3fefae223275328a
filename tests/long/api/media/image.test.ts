import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { buildTree, measureFolder } from '../../../support/image/build-tree.ts';
import { readDockerfile } from '../../../support/image/dockerfile.ts';
import { nobody, runInSandbox, type SandboxProcess } from '../../../support/programs/sandbox.ts';
import { findFreePort } from '../../../support/servers/free-port.ts';
import { skipWithout } from '../../../support/servers/skip-without.ts';
import { waitFor } from '../../../support/wait-for.ts';

/** The steps of the Dockerfile in a clean folder, and its command in a sandbox: no container engine is needed. */
const isInstalled = skipWithout('bwrap');
const dockerfile = readDockerfile();
let tree = '';
let data = '';
let port = 0;
let server: SandboxProcess;

function run(command: readonly string[]): Promise<SandboxProcess> {
  const settings = { ...inject('servers').native.settings, PORT: String(port) };
  const environment = { ...settings, ...dockerfile.environment };
  return runInSandbox({ tree, data, environment }, command);
}

beforeAll(async () => {
  if (!isInstalled) return;
  tree = buildTree();
  data = `${tree}-data`;
  mkdirSync(data);
  chmodSync(data, 0o700);
  if (process.getuid?.() === 0) chownSync(data, nobody, nobody);
  port = await findFreePort();
  server = await run(dockerfile.command);
  await waitFor(() => expect(server.output()).toContain('"msg":"ready"'));
  // On a busy machine a cold server sheds load.
  await waitFor(async () => expect((await get('/models')).ok).toBe(true));
});

afterAll(() => {
  for (const folder of [tree, data]) if (folder !== '') rmSync(folder, { recursive: true });
});

const get = (path: string, accept = 'text/html') =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } });

test('what production needs has at most 300 MB beside Node itself', () => {
  const bytes = measureFolder(tree, (path) => !path.startsWith('node_modules/node/'));
  expect(bytes / 1_000_000).toBeLessThan(300);
});

// ASVS 13.4.1
test('no program or source of the tests is in it', () => {
  const count = (folder: string) => measureFolder(tree, (path) => path.startsWith(`${folder}/`));
  for (const folder of ['tests', '.git', '.next/cache', 'node_modules/typescript']) {
    expect(count(folder), folder).toBe(0);
  }
});

test.each(['/', '/docs/api', '/models'])('the page %s is served', async (path) => {
  const response = await get(path);
  expect(response.status).toBe(200);
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(await response.text()) ?? [];
  expect((await get(script ?? '')).status).toBe(200);
});

test('a picture is fetched, encoded and stored', async () => {
  const { data } = await (await get('/api/v1/events', 'application/json')).json();
  const [picture] = data.flatMap(({ pictures }: Pictured) => pictures.background ?? []);
  const { pathname } = new URL(picture.url);
  const response = await get(`${pathname}?w=640`, 'image/avif');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/avif');
});

type Pictured = Readonly<{ pictures: Readonly<{ background: Readonly<{ url: string }> | null }> }>;

test('the health check succeeds while the server runs, and keys can be created beside it', async () => {
  expect(await (await run(dockerfile.healthCheck)).ended).toBe(0);
  const created = await run([
    'node',
    'lib/cli/keys/keys.ts',
    'create',
    '--name',
    'first',
    '--quiet',
  ]);
  expect(await created.ended).toBe(0);
  expect(created.output()).toMatch(/^mq_\w+$/m);
});

test('nothing outside /data and /tmp can be written', async () => {
  const write = "require('node:fs').writeFileSync('/app/x', '')";
  const attempt = await run(['node', '-e', write]);
  expect(await attempt.ended).toBe(1);
  expect(attempt.output()).toContain('EROFS');
});

test('SIGTERM to PID 1 ends it with 0, and the health check fails', async () => {
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(server.output()).not.toMatch(/EROFS|EACCES|EPERM/);
  expect(await (await run(dockerfile.healthCheck)).ended).toBe(1);
});
