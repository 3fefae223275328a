import { watch } from 'node:fs';
import { loadConfig } from '#lib/config/config.ts';
import { type CommandContext, print, startCommand } from '../command.ts';
import {
  readEventCount,
  startDemoIdentity,
  startDemoModels,
  startDemoTable,
} from './demo-servers.ts';
import { type ServerProcess, startServer } from './start-server.ts';

const root = `${import.meta.dirname}/../../..`;
const settleMs = 150;

/**
 * `npm run dev`: the server with reloading, with the demo's table and models unless others are configured.
 * Next reloads pages and styles; a change of another module restarts the server.
 */
async function devCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { env, stdout } = context;
  const count = readEventCount(args, 'dev');
  const table = env.AIRTABLE_TOKEN ? null : await startDemoTable({ count });
  const models = env.AI_UPSTREAM_URL ? null : await startDemoModels(env);
  const { port, site } = loadConfig(env);
  const identity =
    models === null || env.OIDC_ISSUER ? null : await startDemoIdentity(site.url, port + 1);
  if (models !== null) print(stdout, `API key for the demo models: ${models.key}`);
  const environment = {
    ...table?.environment,
    ...models?.environment,
    ...identity?.environment,
    NODE_ENV: 'development',
    // Next reloads in one process.
    WORKERS: '1',
  };
  let server: ServerProcess;
  let restart = true;
  let pending: NodeJS.Timeout | undefined;

  const onChange = (_: string, file: string | null) => {
    if (file === null || !file.endsWith('.ts')) return;
    clearTimeout(pending);
    pending = setTimeout(() => {
      restart = true;
      server.stop('SIGKILL');
    }, settleMs);
  };
  const watchers = ['lib', 'app'].map((name) =>
    watch(`${root}/${name}`, { recursive: true }, onChange),
  );

  let code = 0;
  while (restart) {
    restart = false;
    server = startServer(environment, context);
    code = await server.ended;
  }
  for (const watcher of watchers) watcher.close();
  clearTimeout(pending);
  await Promise.all([table?.close(), models?.close(), identity?.close()]);
  return code;
}

if (import.meta.main) await startCommand(devCommand);
