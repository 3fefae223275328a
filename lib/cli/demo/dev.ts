import { watch } from 'node:fs';
import { loadConfig } from '#lib/config/config.ts';
import { exitWithError } from '../terminal.ts';
import { startDemoIdentity } from './demo-identity.ts';
import { startDemoModels } from './demo-models.ts';
import { startDemoTable } from './demo-table.ts';
import { type ServerProcess, startServer } from './start-server.ts';

const root = `${import.meta.dirname}/../../..`;
const settleMs = 150;

/**
 * `npm run dev`: the server with reloading, with the demo's table and models unless others are configured.
 * Next reloads pages and styles; a change of another module restarts the server.
 */
async function main(): Promise<void> {
  const table = process.env.AIRTABLE_TOKEN ? null : await startDemoTable(process.argv.slice(2));
  const models = process.env.AI_UPSTREAM_URL ? null : await startDemoModels();
  const { port, site } = loadConfig(process.env);
  const identity =
    models === null || process.env.OIDC_ISSUER ? null : await startDemoIdentity(site.url, port + 1);
  if (models !== null) process.stdout.write(`API key for the demo models: ${models.key}\n`);
  const environment = {
    ...table?.environment,
    ...models?.environment,
    ...identity?.environment,
    NODE_ENV: 'development',
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
  watch(`${root}/lib`, { recursive: true }, onChange);
  watch(`${root}/app`, { recursive: true }, onChange);

  let code = 0;
  while (restart) {
    restart = false;
    server = startServer(environment);
    code = await server.ended;
  }
  await Promise.all([table?.close(), models?.close(), identity?.close()]);
  process.exit(code);
}

main().catch(exitWithError);
