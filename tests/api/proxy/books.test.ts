import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { postJson } from '../../support/clients/post-json.ts';
import {
  chatPath,
  startInProcessProxy,
  toRequestJson,
} from '../../support/servers/in-process-proxy.ts';
import { startProxyServer } from '../../support/servers/proxy-server.ts';

test.for([
  ['in this process', startInProcessProxy],
  ['in a process of its own', startProxyServer],
] as const)(
  'a test fails at the end of its server if a balance is not the sum of its usage: %s',
  async ([, start]) => {
    const server = await start();
    const body = toRequestJson(chatPath, 'lantern-demo/wick-3-mini');
    const response = await postJson(server.url + chatPath, server.key, body);
    expect((await response.json()).usage.total_tokens).toBeGreaterThan(0);
    using file = new DatabaseSync(join(server.dataDir, 'marquee.db'));
    const count = () =>
      file
        .prepare(
          "select count(*) as count from marquee_balances where account = 'all' and tokens > 0",
        )
        .get();
    await expect.poll(count).toEqual({ count: 1 });
    file.exec("update marquee_balances set tokens = 999999 where account = 'all'");

    const error = await server[Symbol.asyncDispose]().then(
      () => null,
      (thrown: unknown) => String(thrown),
    );

    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    expect(JSON.parse(error?.replace('Error: The books are wrong: ', '') ?? '{}')).toEqual({
      drifts: [
        {
          table: 'marquee_balances',
          key: { account: 'all', day },
          expected: { tokens: expect.any(Number) },
          actual: { tokens: 999999 },
        },
      ],
      setAside: [],
    });
  },
);
