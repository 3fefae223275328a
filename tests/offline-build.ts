import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { print, startCommand } from '#lib/cli/command.ts';
import { requirePrograms } from './programs.ts';
import { copySources } from './support/image/build-tree.ts';

const run = promisify(execFile);

/**
 * `npm run test:build`: builds a clean copy of the sources where there is no network, then installs what production
 * needs with `npm ci --omit=dev` and starts the server from it. It takes minutes, so it is no part of `npm test`.
 */
async function buildOffline(): Promise<number> {
  requirePrograms(['bwrap']);
  const folder = copySources();
  try {
    await proveIsolation();
    await step('npm run build, without a network', () =>
      runOffline(['npm', 'run', 'build'], folder),
    );
    await step('npm prune --omit=dev', () => run('npm', ['prune', '--omit=dev'], { cwd: folder }));
    await step('the server serves a page', () => servePage(folder));
    await step('npm ci --omit=dev', () => run('npm', ['ci', '--omit=dev'], { cwd: folder }));
    await step('the server serves a page', () => servePage(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}

async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  print(process.stdout, `${name}: ok, ${Math.round((performance.now() - startedAt) / 1000)} s`);
}

/** With this machine's files, but a loopback interface of its own and no other. */
function runOffline(command: readonly string[], cwd: string) {
  const options = ['--dev-bind', '/', '/', '--unshare-net', '--die-with-parent'];
  return run('bwrap', [...options, '--chdir', cwd, '--', ...command], {
    env: { ...process.env, NODE_ENV: 'production' },
    maxBuffer: 64 * 1024 * 1024,
  });
}

const connect = `
  const socket = require('node:net').connect(process.argv[1], process.argv[2]);
  socket.on('connect', () => process.exit(0)).on('error', ({ code }) => {
    console.log(code);
    process.exit(1);
  });
`;

/** Even a server of this machine is out of reach, and so is an address elsewhere (RFC 5737: nobody’s). */
async function proveIsolation(): Promise<void> {
  const server = createServer((_, response) => response.end('reached')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const [target, host] of [
    [String(port), '127.0.0.1'],
    ['80', '192.0.2.1'],
  ] as const) {
    const node = [process.execPath, '-e', connect, target, host];
    const failure = await runOffline(node, '/').then(
      () => null,
      ({ stdout }) => String(stdout).trim(),
    );
    if (failure === null) throw new Error(`${host}:${target} can be reached.`);
    print(process.stdout, `without a network, ${host} is ${failure}`);
  }
  server.close();
}

async function servePage(folder: string): Promise<void> {
  const server = execFile('node', ['lib/server/main.ts'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, 'data') },
  });
  const port = await new Promise<string>((resolve, reject) => {
    let output = '';
    server.stdout?.on('data', (text) => {
      output += text;
      const [, found] = /"port":(\d+).*"msg":"ready"/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    server.on('exit', () => reject(new Error(`The server ended: ${output}`)));
  });
  const response = await fetch(`http://127.0.0.1:${port}/docs`, {
    headers: { accept: 'text/html' },
  });
  server.kill();
  if (!response.ok) throw new Error(`/docs is a ${response.status}.`);
}

await startCommand(buildOffline);
