import { parseArgs } from 'node:util';
import { requirePrograms } from '../programs.ts';
import { startTestModels } from '../support/models/test-models.ts';
import { describeDifferences } from './compare/describe-differences.ts';
import { type ListedRequest, listRequests } from './compare/list-requests.ts';
import { type ReceivedResponse, sendRequest } from './compare/send-request.ts';
import {
  checkoutOptions,
  createKey,
  makeDataDir,
  openCheckout,
  openCheckouts,
  startCheckout,
} from './servers/checkout.ts';
import { startEventsTable } from './servers/events-table.ts';

/**
 * `npm run compare -- OTHER_CHECKOUT`: sends every URL of the tables of routes and pages, with variants, to this
 * checkout's server and to the other's, both in front of the same local table and models, and lists where
 * the responses differ: status, headers and bytes; for pages the visible text and the links.
 * `--root DIR` compares another checkout than this one, `--only TEXT` requests whose name contains it.
 * Exits with 1 if any response differs.
 */
const { values, positionals } = parseArgs({
  options: {
    root: checkoutOptions.root,
    only: { type: 'string', default: '' },
  },
  allowPositionals: true,
});

async function main(): Promise<void> {
  const [otherRoot] = positionals;
  if (otherRoot === undefined) throw new Error('Name the other checkout: npm run compare -- DIR');
  requirePrograms(['taskset']);
  const { current } = await openCheckouts({ root: values.root });
  const { airtable, environment } = await startEventsTable();
  const models = await startTestModels({ key: 'sk-bench' });
  const servers = [];
  for (const checkout of [openCheckout(otherRoot), current]) {
    const dataDir = makeDataDir();
    const key = createKey(checkout, dataDir);
    const server = await startCheckout(checkout, {
      processor: 'any',
      environment: {
        ...environment,
        DATA_DIR: dataDir,
        AI_UPSTREAM_URL: models.url,
        AI_UPSTREAM_KEY: models.key,
      },
    });
    servers.push({ ...server, key });
  }
  const [before, after] = servers;
  if (before === undefined || after === undefined) throw new Error('There are two servers.');
  const requests = (await listRequests(before.url)).filter(({ name }) =>
    name.includes(values.only),
  );
  let count = 0;
  for (const request of requests) {
    const differences = describeDifferences(request, await sendToBoth(request, [before, after]));
    count += differences.length;
    for (const text of differences) process.stdout.write(`${request.name}\n  ${text}\n`);
  }
  process.stdout.write(`\n${requests.length} requests: ${count} differences.\n`);
  if (count > 0) process.exitCode = 1;
  for (const server of servers) await server.stop();
  await Promise.all([airtable.close(), models.close()]);
}

type Server = Readonly<{ url: string; key: string }>;

async function sendToBoth(
  request: ListedRequest,
  [before, after]: readonly [Server, Server],
): Promise<readonly [ReceivedResponse, ReceivedResponse]> {
  return [await sendRequest(before, request), await sendRequest(after, request)];
}

await main();
