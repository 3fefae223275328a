import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { chatPath, toRequestJson } from '../../support/servers/in-process-proxy.ts';
import { startProxyServer } from '../../support/servers/proxy-server.ts';

test.for([
  ['in this process', false],
  ['in a process of its own', true],
] as const)(
  'a test fails at the end of its server if a balance is not the sum of its usage: %s',
  async ([, isProcess]) => {
    const server = await startProxyServer({ isProcess });
    const response = await fetch(server.url + chatPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(toRequestJson(chatPath, 'lantern-demo/wick-3-mini')),
    });
    expect((await response.json()).usage.total_tokens).toBeGreaterThan(0);
    using file = new DatabaseSync(join(server.dataDir, 'marquee.db'));
    const count = () =>
      file.prepare("select count(*) as count from marquee_balances where account = 'all'").get();
    await expect.poll(count).toEqual({ count: 2 });
    file.exec("update marquee_balances set tokens = 999999 where account = 'all'");

    const error = await server.stop().then(
      () => null,
      (thrown: unknown) => String(thrown),
    );

    const rows = (error ?? '').replaceAll(/ +/g, ' ').split('\n');
    expect(rows[0]).toMatch(/^Error: SQLite, .*: balances differ from the usage records:$/);
    expect(rows).toContainEqual(expect.stringMatching(/^all \d{4}-\d\d-\d\d 999999 \d+ /));
  },
);
