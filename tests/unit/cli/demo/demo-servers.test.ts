import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startDemoModels } from '#lib/cli/demo/demo-servers.ts';
import { isWarning } from '#lib/cli/demo/start-server.ts';
import { startIdentityServer } from '#lib/demo/identity/identity-server.ts';
import { openTestDatabase } from '../../../support/servers/each-database.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

test('a second demo in the same DATA_DIR leaves the key of the first one alone', async () => {
  const dataDir = join(makeTestFolder(), 'mine');
  const first = await startDemoModels({ DATA_DIR: dataDir });
  const second = await startDemoModels({ DATA_DIR: dataDir });
  expect(first.environment.DATA_DIR).toBe(dataDir);
  expect(existsSync(dataDir)).toBe(true);
  expect(second.key).not.toBe(first.key);
  const database = await openTestDatabase({ dataDir });
  const keys = await database.keys.list();
  expect(keys.map(({ revokedAt }) => revokedAt)).toEqual([null, null]);
  await Promise.all([first.close(), second.close()]);
});

test('the sign-in server starts a sign-in without a warning', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const info = vi.spyOn(console, 'info').mockReturnValue();
  const siteUrl = 'http://localhost:3999';
  const { issuer, clientId, close } = await startIdentityServer({ siteUrl });
  const search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid email',
    redirect_uri: `${siteUrl}/sign-in/callback`,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  const { status } = await fetch(`${issuer}/auth?${search}`, { redirect: 'manual' });
  expect(status).toBe(303);
  expect([...warn.mock.calls, ...info.mock.calls]).toEqual([]);
  await close();
});

test('only warnings and errors follow the welcome', () => {
  expect(isWarning('{"level":30,"time":1,"msg":"pictures are ready"}')).toBe(false);
  expect(isWarning('{"level":40,"time":1,"msg":"the table could not be read"}')).toBe(true);
  expect(isWarning('a line of another program')).toBe(true);
});
