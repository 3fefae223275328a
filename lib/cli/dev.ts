import { watch } from 'node:fs';
import { startDemoTable } from './demo-table.ts';
import { failWithOneLine } from './fail.ts';
import { type ServerProcess, startServer } from './start-server.ts';

const root = `${import.meta.dirname}/../..`;
const settleMs = 150;

/**
 * `npm run dev`: the server with reload, against the local table where no other one is set. Pages
 * and styles are reloaded by Next; a change to what the lane runs starts the server anew.
 */
async function main(): Promise<void> {
  const table = process.env.AIRTABLE_TOKEN ? null : await startDemoTable(process.argv.slice(2));
  const environment = { ...table?.environment, NODE_ENV: 'development' };
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
  await table?.close();
  process.exit(code);
}

main().catch(failWithOneLine);
