import { expect, test } from 'vitest';
import { send } from '../../../support/clients/http-client.ts';
import { forTests } from '../../../support/for-tests.ts';
import { pathsOfAllKinds as paths } from '../../../support/paths.ts';
import {
  startMarquee,
  startTable,
  toTableSettings,
} from '../../../support/servers/marquee-server.ts';

const table = forTests(() => startTable());

test('where Next serves alone, too, but for its redirects of repeated slashes; no Host is repeated', async () => {
  await using server = await startMarquee(
    { ...toTableSettings(table), SITE_URL: 'https://events.example' },
    'next start',
  );
  for (const path of [...paths.filter((name) => !name.startsWith('//')), '/favicon.ico']) {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
      const response = await send(server, path, { method, headers });
      const label = `${method} ${path} ${response.status}`;
      expect(response.header('strict-transport-security'), label).toBe('max-age=31536000');
      expect(response.header('x-content-type-options'), label).toBe('nosniff');
      expect(JSON.stringify(response), label).not.toContain('evil.example');
    }
  }
});
