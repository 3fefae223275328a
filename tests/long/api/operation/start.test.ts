import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, readFileSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import { makeKeyText } from '#lib/keys/key-text.ts';
import { postJson } from '../../../support/clients/post-json.ts';
import { forTests } from '../../../support/for-tests.ts';
import { startTestModels } from '../../../support/models/test-models.ts';
import { collectOutput } from '../../../support/programs/collect-output.ts';
import { upstreamKey } from '../../../support/servers/in-process-proxy.ts';
import { makeKeyIn } from '../../../support/servers/make-key.ts';
import { toPrompt } from '../../../support/servers/pipeline-server.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { examineChatStream } from '../../../support/upstreams/chat-stream.ts';

const root = resolve(import.meta.dirname, '../../../..');
const main = join(root, 'lib/server/main.ts');

const upstream = { AI_UPSTREAM_URL: 'http://127.0.0.1:1/v1', AI_UPSTREAM_KEY: 'sk-none' };

type Started = Readonly<{ child: ChildProcess; output: () => string }>;

/** Starts a command as an operator would: nothing set but what the test sets. */
function start(command: string, args: readonly string[], environment: Environment): Started {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(command, args, {
    cwd: root,
    // Next's types demand NODE_ENV, which these starts leave out on purpose.
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE,
      DATA_DIR: makeTestFolder(),
      ...environment,
    } as Environment as NodeJS.ProcessEnv,
    // A group of its own, so that nothing is left after a test that fails.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  });
  return { child, output: collectOutput(child) };
}

async function untilReady({ child, output }: Started): Promise<string> {
  const findPort = () => /"port":(\d+).*"msg":"ready"/.exec(output())?.[1];
  await expect.poll(() => child.exitCode ?? findPort()).toBeDefined();
  expect(child.exitCode, output()).toBeNull();
  return `http://127.0.0.1:${findPort()}`;
}

type FailedStart = Readonly<{ file?: string; as?: readonly string[] }>;

/** What a start that fails prints to stderr. @param as a command that starts it with fewer rights. */
async function failedStart(
  environment: Environment,
  { file = main, as = [] }: FailedStart = {},
): Promise<string> {
  const { child } = start('env', [...as, process.execPath, file], { PORT: '0', ...environment });
  const [text, [code]] = await Promise.all([
    readText(child.stderr ?? Readable.from([])),
    once(child, 'close'),
  ]);
  expect(code).toBe(1);
  return text;
}

/** Takes a right away that only root has. */
const without = (capability: string): readonly string[] =>
  process.getuid?.() === 0 ? ['setpriv', `--bounding-set=-${capability}`] : [];

describe('SIGTERM ends streams in the failure form of their protocol', () => {
  const models = forTests(() => startTestModels({ key: upstreamKey }));

  test.for([
    // npm passes the signal on to a shell.
    ['npm start', 'npm', ['start']],
    // As in the container and in systemd's unit.
    ['node', process.execPath, [main]],
  ] as const)(
    '%s: none hangs, the exit code is 0, and nothing runs on',
    async ([, command, args]) => {
      const dataDir = makeTestFolder();
      const { text: key, record } = await makeKeyIn({ databaseUrl: null, dataDir });
      const started = start(command, args, {
        PORT: '0',
        DATA_DIR: dataDir,
        SHUTDOWN_SECONDS: '1',
        AI_UPSTREAM_URL: models.url,
        AI_UPSTREAM_KEY: upstreamKey,
        AI_MODELS: 'fault/*',
        AI_UPSTREAM_MESSAGES: 'native',
      });
      const url = await untilReady(started);
      const read = async (path: string, body: object): Promise<string> => {
        const request = { model: 'fault/hang-mid-stream', stream: true, ...body };
        return (await postJson(`${url}/proxy/v1/${path}`, key, request)).text();
      };
      const messages = [{ role: 'user', content: 'count to 20' }];
      const streams = Promise.all([
        read('chat/completions', { messages }),
        read('responses', { input: 'count to 20' }),
        read('messages', { messages, max_tokens: 100 }),
      ]);
      const before = models.stats().openRequests;
      await expect.poll(() => models.stats().openRequests).toBe(before + 3);

      started.child.kill('SIGTERM');

      const [chat, responses, ofMessages] = await streams;
      expect(examineChatStream(chat)).toMatchObject({ error: { type: 'server_error' } });
      expect(responses).toMatch(/event: response\.failed\n/);
      expect(ofMessages).toMatch(/event: error\ndata: \{"type":"error"/);
      const [code] = await once(started.child, 'close');
      expect(code).toBe(0);
      expect(started.output()).toContain('"signal":"SIGTERM","msg":"closing"');
      expect(started.output()).toContain('responses took too long');
      await expect(fetch(`${url}/health`)).rejects.toThrow();
      const database = await openDatabase({ databaseUrl: null, dataDir });
      expect(await database.usage.sumByDayAndModel(record.id, '')).toMatchObject([{ requests: 3 }]);
      await database.close();
    },
  );
});

test('SIGHUP never ends the process, every line of its log is JSON, and a failed start leaves one', async () => {
  const started = start(process.execPath, [main], { PORT: '0', HOST: '127.0.0.1' });
  const url = await untilReady(started);
  started.child.kill('SIGHUP');
  await expect.poll(started.output).toContain('nothing to reload: AI_UPSTREAMS_FILE is not set');
  const second = start(process.execPath, [main], { PORT: new URL(url).port, HOST: '127.0.0.1' });
  const [code] = await once(second.child, 'close');
  expect(code).toBe(1);
  const [line = ''] = second.output().match(/^\{.*start_failed.*$/m) ?? [];
  const problem = expect.stringContaining('something else listens there');
  expect(JSON.parse(line)).toMatchObject({ level: 60, reason: 'start_failed', problem });
  const lines = started.output().trim().split('\n');
  for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
});

// ASVS 13.4.2
test('without NODE_ENV and flags it is the production server, on a free port that links contain', async () => {
  const started = start(process.execPath, [main], {
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    AIRTABLE_TOKN: 'canary',
  });
  const url = await untilReady(started);
  const page = await fetch(`${url}/docs`, { headers: { accept: 'text/html' } });
  expect(page.headers.get('x-cache')).toBe('miss');
  expect(await page.text()).not.toContain('react-refresh');
  const robots = await (await fetch(`${url}/robots.txt`)).text();
  expect(robots).toContain(`http://localhost:${new URL(url).port}/sitemap.xml`);
  // A variable that looks like a setting is named in the log.
  expect(started.output()).toContain(
    'AIRTABLE_TOKN is not a setting. Did you mean AIRTABLE_TOKEN?',
  );
  expect(started.output()).not.toContain('canary');
});

const firstFreePort = '/proc/sys/net/ipv4/ip_unprivileged_port_start';

// Where every user may listen on every port, nothing fails.
if (Number(readFileSync(firstFreePort, 'utf8')) > 80) {
  test('a port below 1024 is one line', async () => {
    expect(await failedStart({ PORT: '80' }, { as: without('net_bind_service') })).toBe(
      'PORT is 80, but this user may not listen there. Use 1024 or above.\n',
    );
  });
}

test('a missing build is one line', async () => {
  const folder = makeTestFolder();
  for (const name of ['lib', 'package.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'lib/server/main.ts');
  expect(await failedStart({}, { file })).toBe('There is no build. Run `npm run build` first.\n');
});

test('a DATA_DIR without write permission is one line that names it', async () => {
  const DATA_DIR = join(makeTestFolder(), 'data');
  chmodSync(join(DATA_DIR, '..'), 0o555);
  expect(await failedStart({ ...upstream, DATA_DIR }, { as: without('dac_override') })).toBe(
    `DATA_DIR is "${DATA_DIR}", but this user may not write there.\n`,
  );
});

test.for(['away', 'hanging'] as const)(
  'with its PostgreSQL %s the events site starts, and keys and accounts get a 503 within two seconds',
  async (state) => {
    // Nothing listens on port 1; a server that never writes hangs.
    const silent = createTcpServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const port = state === 'away' ? 1 : (silent.address() as AddressInfo).port;
    const started = start(process.execPath, [main], {
      ...upstream,
      PORT: '0',
      DATABASE_URL: `postgres://marquee:canary@127.0.0.1:${port}/marquee`,
      KEY_PEPPER: 'p'.repeat(32),
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'x',
      MEMBERS_ALLOWED: '*',
    });
    const url = await untilReady(started);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    const key = makeKeyText();
    const cookie = `marquee-session=${'a'.repeat(43)}`;
    const [response, view, account, form] = await Promise.all([
      postJson(`${url}/proxy/v1/chat/completions`, key, toPrompt('any', false)),
      fetch(`${url}/proxy/v1/key`, { headers: { authorization: `Bearer ${key}` } }),
      fetch(`${url}/account`, { headers: { cookie, accept: 'text/html' } }),
      fetch(`${url}/account/keys`, {
        method: 'POST',
        body: new URLSearchParams({ name: 'laptop' }),
        headers: { cookie, origin: `http://localhost:${new URL(url).port}` },
      }),
    ]);
    for (const { status, headers } of [response, view, account, form]) {
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('2');
    }
    const text = 'Accounts cannot be read at the moment.';
    expect(await account.text()).toContain(text);
    expect(await form.text()).toContain(text);
    expect((await fetch(`${url}/account`, { headers: { accept: 'text/html' } })).status).toBe(200);
    expect(started.output()).toContain('DATABASE_URL points to a database that cannot be reached');
    expect(started.output()).not.toContain('canary');
  },
);
