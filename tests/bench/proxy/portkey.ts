import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startServerProcess } from '../server-process.ts';

const version = '1.15.2';
const folder = join(tmpdir(), `marquee-bench-portkey-${version}`);
const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');

/** Headers that lead Portkey's gateway to an upstream. */
export function toPortkeyHeaders(upstreamUrl: string): Record<string, string> {
  return { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstreamUrl };
}

/** Portkey's gateway, fetched for the benchmark: it is no dependency. */
export async function startPortkey(): Promise<ServerProcess> {
  if (!existsSync(program)) {
    const given = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
    execFileSync('npm', [...given, `@portkey-ai/gateway@${version}`], { stdio: 'ignore' });
  }
  return startServerProcess([program, '--headless'], {
    path: '/',
    portArgument: '--port=',
    isSilent: true,
    imports: join(import.meta.dirname, 'portkey-preload.ts'),
  });
}
