import { describe, expect, inject, test } from 'vitest';
import { testedClients } from '#lib/representations/docs/generated-tables.ts';
import { model, prompt } from '../../support/clients/client-fixtures.ts';
import { clientRuns } from '../../support/clients/client-runs.ts';
import { upstreamKinds } from '../../support/servers/in-process-proxy.ts';

/** The table of /docs/ai: every client with every API that it says, passed on and translated. */
const toPairs = (pairs: readonly (readonly [client: string, api: string])[]) =>
  [...new Set(pairs.map(([client, api]) => `${client}: ${api}`))].sort();

test('each client of the table has a run with each of its APIs, and no other has one', () => {
  expect(toPairs(clientRuns.map(({ client, api }) => [client, api]))).toEqual(
    toPairs(testedClients.flatMap(({ client, apis }) => apis.map((api) => [client, api] as const))),
  );
});

describe.each(upstreamKinds)('%s upstream', (upstream) => {
  test.each(clientRuns)('$client, $api', async ({ run }) => {
    const { url: siteUrl, baseUrl, key } = inject('servers')[upstream];
    const text = await run({ siteUrl, baseUrl, key, model });
    expect(text.includes(prompt) || text.includes('The script is done')).toBe(true);
  });
});
