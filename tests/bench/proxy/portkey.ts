import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startServerProcess } from '../servers/server-process.ts';

const version = '1.15.2';
const directory = join(tmpdir(), `marquee-bench-portkey-${version}`);
const program = join(directory, 'node_modules/@portkey-ai/gateway/build/start-server.js');

/** Headers that choose the upstream of Portkey's gateway. */
export function toPortkeyHeaders(upstreamUrl: string): Record<string, string> {
  return { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstreamUrl };
}

/** Starts Portkey's gateway. It is no dependency: it is installed in the system's temporary directory. */
export async function startPortkey(): Promise<ServerProcess> {
  if (!existsSync(program)) {
    const given = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', directory];
    execFileSync('npm', [...given, `@portkey-ai/gateway@${version}`], { stdio: 'ignore' });
  }
  return startServerProcess([program, '--headless'], {
    path: '/',
    portArgument: '--port=',
    isSilent: true,
    preload: join(import.meta.dirname, 'portkey-preload.ts'),
  });
}
