import { expect, onTestFinished, test } from 'vitest';
import { apis, sessionPaths, toRequestBody } from '#lib/site/playground/chat-request.ts';
import { readReplyEvents } from '#lib/site/playground/stream-reply.ts';
import { startMembersInProcess } from '../../support/members/members-in-process.ts';
import { startUpstream } from '../../support/servers/in-process-proxy.ts';

test('a member’s session replaces a key, in each format of the playground', async () => {
  const { modelServer, settings } = await startUpstream('native');
  onTestFinished(() => modelServer.close());
  const site = await startMembersInProcess(settings);
  onTestFinished(() => site.close());
  const browser = await site.signInAs('ada');
  const token = (await site.find(browser))?.formToken ?? '';
  const turns = [{ role: 'user', content: 'count to 5' }] as const;
  const post = (path: string, formToken: string, body: object) =>
    browser.open(site.siteUrl + path, {
      method: 'POST',
      headers: {
        origin: site.siteUrl,
        'content-type': 'application/json',
        'x-form-token': formToken,
      },
      body: JSON.stringify(body),
    });
  for (const api of apis) {
    const body = toRequestBody({ api, model: 'lantern-demo/wick-3', turns, system: 'Be short.' });
    const reply = await post(sessionPaths[api], token, body);
    expect(reply.status, reply.text).toBe(200);
    const lines = reply.text.split('\n').filter((line) => line.startsWith('data: '));
    const events = lines.flatMap((line) => readReplyEvents(line.slice('data: '.length)));
    const text = events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
    expect(text).toBe('1 2 3 4 5');
    expect(events.some(({ kind }) => kind === 'usage')).toBe(true);
    expect(events.map(({ kind }) => kind)).toContain('ended');
    expect((await post(sessionPaths[api], 'another', body)).status).toBe(403);
  }
  expect((await post('/account/playground/embeddings', token, {})).status).toBe(404);
});
