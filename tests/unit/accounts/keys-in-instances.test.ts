import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '#lib/config/config.ts';
import { createServices } from '#lib/services.ts';
import { makeKeyInput } from '../../support/factories/key-services.ts';
import { makeMember } from '../../support/factories/member-factory.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { createTestLog } from '../../support/test-log.ts';

/** One instance of several. */
function openInstance(dataDir: string) {
  const config = loadConfig({
    DATA_DIR: dataDir,
    KEY_PEPPER: 'p'.repeat(32),
    ...{ AI_UPSTREAM_URL: 'http://127.0.0.1:1/v1', AI_UPSTREAM_KEY: 'sk-none' },
    ...{ OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' },
    MEMBERS_ALLOWED: 'makers.example',
  });
  const services = createServices(config, { log: createTestLog() });
  onTestFinished(services.close);
  const { members, aiProxy } = services;
  if (members === null) throw new Error('There are no accounts.');
  const use = async (text: string): Promise<number> => {
    const headers = { authorization: `Bearer ${text}` };
    const request = new Request('http://localhost/proxy/v1/key', { headers });
    return (await aiProxy.respond('getKey', request).catch((error) => error)).status;
  };
  return { ...services, account: members.account, use };
}

test('what a member does to their keys, and an admin to a member, reaches all instances within 5 s', async () => {
  const dataDir = join(makeTestFolder(), 'shared');
  const [first, second] = [openInstance(dataDir), openInstance(dataDir)];
  const member = await first.database.members.save(makeMember({ confirmedAt: Date.now() }));
  const { text, record } = await first.account.createKey(member, makeKeyInput());
  const expectEverywhere = async (key: string, status: number) => {
    for (const { use } of [first, second]) {
      await expect.poll(() => use(key)).toBe(status);
    }
  };
  await expectEverywhere(text, 200);

  const rotated = await first.account.rotateKey(member, record.id);
  expect(await second.use(rotated.text)).toBe(200);
  await expectEverywhere(text, 401);

  await first.database.members.setDisabled(member.id, true);
  await expectEverywhere(rotated.text, 401);
  await second.database.members.setDisabled(member.id, false);
  await expectEverywhere(rotated.text, 200);

  await second.account.revokeKey(member, record.id);
  await expectEverywhere(rotated.text, 401);
});
