import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../../../support/clients/http-client.ts';
import { runInTerminal } from '../../../support/programs/terminal.ts';
import {
  type InProcessProxy,
  startInProcessProxy,
} from '../../../support/servers/in-process-proxy.ts';
import { siteUrl } from '../../../support/servers/marquee-server.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

let proxy: InProcessProxy;
beforeAll(async () => {
  proxy = await startInProcessProxy();
});
afterAll(() => proxy[Symbol.asyncDispose]());

const files = {
  codex: '.codex/config.toml',
  'claude-code': '.claude/settings.json',
  opencode: '.config/opencode/opencode.json',
} as const;
const clientIds = Object.keys(files) as (keyof typeof files)[];
const shells = ['dash', 'bash', 'busybox sh'] as const;

async function loadScript(clientId: string): Promise<string> {
  // On a connection of its own: a shell that blocks this process for long would outlast a kept one.
  const headers = { connection: 'close' };
  const { text } = await send(proxy, `/connect/${clientId}`, { headers });
  return text.replaceAll(siteUrl, proxy.url);
}

type RunOptions = Readonly<{
  shell?: string;
  home?: string;
  args?: string;
  typed?: string;
  environment?: Readonly<Record<string, string>>;
}>;

/** Runs the script as `curl … | sh` does. Programs that it starts leave their arguments in `home/arguments`. */
async function connect(clientId: string, options: RunOptions = {}) {
  const { shell = 'sh', home = makeTestFolder(), args = '', typed = proxy.key } = options;
  const folder = makeTestFolder();
  const script = join(folder, 'script');
  writeFileSync(script, await loadScript(clientId));
  const log = join(folder, 'arguments');
  for (const name of ['curl', 'awk', 'sed', 'grep', 'cp', 'mv', 'stty', 'mkdir', 'rm', 'cat']) {
    const real = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    const wrapper = `#!/bin/sh\n{ echo ${name} "$@"; env; } >>'${log}'\nexec '${real}' "$@"\n`;
    writeFileSync(join(folder, name), wrapper);
    chmodSync(join(folder, name), 0o755);
  }
  const { output, status } = await runInTerminal(`/bin/cat '${script}' | ${shell} -s -- ${args}`, {
    typed,
    question: 'Your key',
    environment: { HOME: home, PATH: `${folder}:${process.env.PATH}`, ...options.environment },
  });
  return { output, status, home, startedWith: readFileSync(log, 'utf8') };
}

/** All files of a folder, with their contents and modes. */
function readFolder(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => ({ name, path: join(folder, name) }))
      .filter(({ path }) => statSync(path).isFile())
      .map(({ name, path }) => [
        name,
        `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'utf8')}`,
      ]),
  );
}

describe.each(clientIds)('%s', (clientId) => {
  test.each(shells)(
    'is connected and disconnected by %s, and nobody sees the key',
    async (shell) => {
      const { output, status, home, startedWith } = await connect(clientId, { shell });
      expect(output).toContain('is connected.');
      expect(status).toBe(0);
      expect(output + startedWith).not.toContain(proxy.key);
      expect(startedWith).toContain('curl ');
      const written = readFolder(home);
      expect(written[files[clientId]]).toMatch(/^600 /);
      expect(written[files[clientId]]).toContain(proxy.key);
      const undone = await connect(clientId, { shell, home, args: '--undo' });
      expect(undone.output).toContain('Undone');
      expect(JSON.stringify(readFolder(home))).not.toContain(proxy.key);
      expect(existsSync(join(home, files[clientId]))).toBe(false);
    },
  );

  test('a wrong key says so, and leaves everything as it was', async () => {
    const home = makeTestFolder();
    await mkdir(join(home, files[clientId], '..'), { recursive: true });
    writeFileSync(join(home, files[clientId]), '', { mode: 0o644 });
    const before = readFolder(home);
    const mistyped =
      'The test failed: This is not an API key of this service. A key is "mq_" and 49 letters and digits: check that you copied all of it.';
    for (const [typed, problem] of [
      [`mq_${'x'.repeat(49)}`, mistyped],
      ['sk-"quoted" key', 'That is no key.'],
      ['', 'That is no key.'],
    ] as const) {
      const { output, status } = await connect(clientId, { home, typed });
      expect(output).toContain(problem);
      expect(output).toContain('Nothing was changed.');
      expect(status).toBe(1);
      expect(readFolder(home)).toEqual(before);
    }
  });

  test('a download that was cut off does nothing', async () => {
    const home = makeTestFolder();
    const lines = (await loadScript(clientId)).trimEnd().split('\n');
    for (let count = 1; count < lines.length; count += 1) {
      const input = lines.slice(0, count).join('\n');
      const env = { NODE_ENV: 'test', HOME: home, PATH: process.env.PATH } as const;
      // A cut in a function is an error of the shell.
      execFileSync('sh', ['-c', 'setsid sh || true'], { input, env, stdio: 'pipe' });
    }
    expect(readFolder(home)).toEqual({});
  });

  test('without a terminal it says that it needs one', async () => {
    const home = makeTestFolder();
    const env = { NODE_ENV: 'test', HOME: home, PATH: process.env.PATH } as const;
    const input = await loadScript(clientId);
    const output = execFileSync('sh', ['-c', 'setsid -w sh 2>&1 || true'], {
      input,
      env,
      encoding: 'utf8',
    });
    expect(output).toContain('This needs a terminal');
    expect(readFolder(home)).toEqual({});
  });

  test('what was there is copied, kept, and there again once it is undone', async () => {
    const home = makeTestFolder();
    const path = join(home, files[clientId]);
    const text = clientId === 'codex' ? 'approval_policy = "never"\n' : '{\n  "theme": "dark"\n}\n';
    await mkdir(join(path, '..'), { recursive: true });
    writeFileSync(path, text, { mode: 0o644 });
    await connect(clientId, { home });
    // A second time, as after a new key.
    await connect(clientId, { home });
    expect(readFileSync(`${path}.before-marquee`, 'utf8')).toBe(text);
    expect(readFileSync(path, 'utf8')).toContain(text.split('\n')[clientId === 'codex' ? 0 : 1]);
    await connect(clientId, { home, args: '--undo' });
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(existsSync(`${path}.before-marquee`)).toBe(false);
    const again = await connect(clientId, { home, args: '--undo' });
    expect(again.output).toContain('is not connected');
  });
});

test('the folders that the clients’ own variables name are used', async () => {
  const home = makeTestFolder();
  const environment = {
    CODEX_HOME: join(home, 'my codex'),
    CLAUDE_CONFIG_DIR: join(home, 'my claude'),
    XDG_CONFIG_HOME: join(home, 'my settings'),
  };
  for (const clientId of clientIds) await connect(clientId, { home, environment });
  expect(Object.keys(readFolder(home)).sort()).toEqual([
    'my claude/.claude.json',
    'my claude/settings.json',
    'my claude/settings.json.before-marquee',
    'my codex/config.toml',
    'my codex/config.toml.before-marquee',
    'my settings/opencode/opencode.json',
    'my settings/opencode/opencode.json.before-marquee',
  ]);
});

test('a link to a settings file stays one', async () => {
  const home = makeTestFolder();
  const target = join(home, 'dotfiles.toml');
  writeFileSync(target, '');
  execFileSync('sh', [
    '-c',
    `mkdir -p '${home}/.codex' && ln -s ../dotfiles.toml '${home}/.codex/config.toml'`,
  ]);
  await connect('codex', { home });
  expect(readFileSync(target, 'utf8')).toContain(proxy.key);
  expect(execFileSync('readlink', [join(home, '.codex/config.toml')], { encoding: 'utf8' })).toBe(
    '../dotfiles.toml\n',
  );
});

test('a key that may not use the model says so', async () => {
  const { text: typed } = await proxy.makeKey({ models: ['other/*'] });
  const { output, home } = await connect('codex', { typed });
  expect(output).toMatch(/The test failed: .*model/);
  expect(readFolder(home)).toEqual({});
});

test('the script is text that browsers show, for a model of the query or the best one', async () => {
  const response = await fetch(`${proxy.url}/connect/codex`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
  const other = await fetch(`${proxy.url}/connect/codex?model=lantern-demo%2Fwick-3-mini`);
  expect(await other.text()).toContain('lantern-demo/wick-3-mini');
  for (const path of ['/connect/codex?model=nothing', '/connect/curl', '/connect/x']) {
    expect((await fetch(proxy.url + path)).status).toBe(404);
  }
});
