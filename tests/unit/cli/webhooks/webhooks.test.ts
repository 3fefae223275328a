import { expect, test } from 'vitest';
import { webhooksCommand } from '#lib/cli/webhooks/webhooks.ts';
import { callCommand } from '../../../support/programs/call-command.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { isVerified, startWebhookReceiver } from '../../../support/webhook-receiver.ts';

function createRun(environment: Readonly<Record<string, string>> = {}) {
  const DATA_DIR = makeTestFolder();
  return (...words: string[]) => callCommand(webhooksCommand, words, { DATA_DIR, ...environment });
}

test('a webhook is created, listed, tested, paused, resumed, rotated and removed', async () => {
  await using receiver = await startWebhookReceiver();
  const run = createRun({ WEBHOOK_HOSTS: receiver.host });
  const options = ['--create-database', '--filter', 'city=ghent', '--type', 'event.added,alert.*'];
  const created = await run(
    'create',
    '--url',
    receiver.url,
    '--name',
    'Ours',
    '--json',
    ...options,
  );
  const { id, secret } = JSON.parse(created.out);
  const list = await run('list');
  for (const text of [id, 'Ours', receiver.url, 'city=ghent', 'event.added,alert.*', 'active']) {
    expect(list.out).toContain(text);
  }
  expect(list.out).not.toContain(secret);
  expect(await run('test', id)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Delivered: 204, \d+ ms\n$/),
  });
  const [message] = receiver.received;
  expect(message && isVerified(message, secret)).toBe(true);
  expect((await run('pause', id)).out).toContain('paused');
  expect((await run('resume', id)).out).toContain('active');
  const rotated = await run('rotate', id, '--quiet');
  expect(rotated).toMatchObject({ code: 0, error: '' });
  expect(rotated.out).toMatch(/^whsec_\S{44}\n$/);
  expect(rotated.out).not.toContain(secret);
  expect((await run('remove', id)).out).toBe('There are no webhooks.\n');
  expect(await run('remove', id)).toMatchObject({ code: 1, out: '' });
});

test('with --quiet the secret stands alone', async () => {
  const run = createRun({ WEBHOOK_HOSTS: 'localhost:9000' });
  const words = ['create', '--create-database', '--quiet', '--url', 'http://localhost:9000/'];
  expect(await run(...words)).toEqual({
    code: 0,
    error: '',
    out: expect.stringMatching(/^whsec_\S{44}\n$/),
  });
});

test.each([
  'http://127.0.0.1:9000/',
  'https://169.254.169.254/latest/meta-data/',
  'https://localhost/',
  '',
])('the URL %j is refused: exit code 1, and nothing is created', async (url) => {
  const run = createRun();
  const refused = await run('create', '--create-database', '--url', url);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.error).toContain('This URL is refused');
  expect((await run('list')).out).toBe('There are no webhooks.\n');
});

test('a test that is not delivered exits with 1, and says the status alone', async () => {
  await using receiver = await startWebhookReceiver(() => 500);
  const run = createRun({ WEBHOOK_HOSTS: receiver.host });
  const created = await run('create', '--create-database', '--json', '--url', receiver.url);
  const { code, out } = await run('test', JSON.parse(created.out).id);
  expect(code).toBe(1);
  expect(out).toMatch(/^Not delivered: 500, \d+ ms\n$/);
});
