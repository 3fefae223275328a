import { expect, test } from 'vitest';
import { send, sendRaw } from '../../support/clients/http-client.ts';
import { forTests } from '../../support/for-tests.ts';
import { pathsOfAllKinds as paths } from '../../support/paths.ts';
import {
  startMarqueeInProcess,
  startTable,
  toTableSettings,
} from '../../support/servers/marquee-server.ts';

const table = forTests(() => startTable());

// ASVS 3.2.1, 3.4.1, 3.4.4
test.each([
  ['https://events.example', 'max-age=31536000'],
  ['http://localhost:3000', ''],
])(
  'every response of %s says %j of HTTPS, and that it is of no other type',
  async (siteUrl, expected) => {
    await using server = await startMarqueeInProcess({
      ...toTableSettings(table),
      SITE_URL: siteUrl,
    });
    // The second response may come from the cache.
    for (const path of [...paths, ...paths]) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const response = await send(server, path, { method, headers: { 'if-none-match': '*' } });
        const label = `${method} ${path} ${response.status}`;
        expect(response.header('strict-transport-security'), label).toBe(expected);
        expect(response.header('x-content-type-options'), label).toBe('nosniff');
      }
    }
    const invalid = await sendRaw(server, 'GET http://[ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
    expect(invalid.status).toBe(400);
  },
);
