import { loadConfig } from '#lib/config/config.ts';
import { buildIfNeeded } from './build-if-needed.ts';
import { startDemoTable } from './demo-table.ts';
import { failWithOneLine } from './fail.ts';
import { startServer } from './start-server.ts';

/**
 * `npm run demo`: the server as `npm start` runs it, against a local stand-in for the table of
 * events, over HTTP. `npm run demo -- --events 10000` fills the table with so many.
 */
async function main(): Promise<void> {
  const { port, site } = loadConfig(process.env);
  await buildIfNeeded();
  const table = await startDemoTable(process.argv.slice(2));
  const server = startServer({ ...table.environment, NODE_ENV: 'production' });
  server.onceReady(() => process.stdout.write(toWelcome(site.url, port)));
  const code = await server.ended;
  await table.close();
  process.exitCode = code;
}

function toWelcome(siteUrl: string, port: number): string {
  const local = `http://localhost:${port}`;
  return `
  ${siteUrl} is open, with a made-up table of events behind it. Try:

    curl '${local}/api/v1/events?status=upcoming&limit=3'
    curl -H 'Accept: text/markdown' ${local}/
    curl ${local}/api/v1/events/rss

  Ctrl-C ends it.

`;
}

main().catch(failWithOneLine);
