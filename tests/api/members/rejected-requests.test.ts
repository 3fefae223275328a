import { expect, test } from 'vitest';
import { forTests } from '../../support/for-tests.ts';
import { startMembersSite } from '../../support/members/members-site.ts';

/** Requests that were rejected, as their member and an admin see them. */

const site = forTests(() =>
  startMembersSite({
    settings: { MEMBER_BUDGET: '1000 tokens/day', PROXY_REQUESTS_PER_MINUTE: '12' },
  }),
);
const model = 'lantern-demo/wick-3-mini';
const toBody = (name: string, prompt = 'count to 3') =>
  JSON.stringify({ model: name, messages: [{ role: 'user', content: prompt }] });

/** A member with a key, which sends requests under an id. */
async function makeKey(person: string, name: string) {
  const { browser, key } = await site.makeKey(person, name);
  return {
    key,
    open: (path: string) => browser.open(site.siteUrl + path),
    send(id: string, body: string, path = 'chat/completions') {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-request-id': id,
      };
      return fetch(`${site.server.url}/proxy/v1/${path}`, { method: 'POST', headers, body });
    },
  };
}

type Member = Awaited<ReturnType<typeof makeKey>>;

/** Their requests as a file has them, the newest first. */
async function readFile({ open }: Pick<Member, 'open'>, path: string) {
  const { text } = await open(path);
  const [names = '', ...lines] = text.trim().split('\r\n');
  const header = names.split(',');
  return lines.map((line) => {
    const values = line.split(',');
    return Object.fromEntries(header.map((name, index) => [name, values[index]]));
  });
}

const waitForFile = async (member: Member, path: string, count: number) => {
  await expect.poll(async () => (await readFile(member, path)).length).toBe(count);
  return readFile(member, path);
};

test('a member finds what was rejected, why, and what to do, and others do not', async () => {
  const ada = await makeKey('ada', 'laptop');
  const robin = await makeKey('root', 'worktable');
  const id = 'deploy-of-tuesday';
  const statusOf = async (body: string) => (await ada.send(id, body)).status;
  expect(await statusOf('{"model":')).toBe(400);
  expect(await statusOf(toBody('acme/secret-project'))).toBe(404);
  const spent = await ada.send(id, toBody(model, 'private words '.repeat(2_000)));
  expect(spent.status).toBe(402);
  const link = `${site.siteUrl}/account/requests?request=${id}`;
  expect((await spent.json()).error.message.split(' ').slice(-2)).toEqual(['Details:', link]);
  expect(await statusOf(toBody(model).replace('[', '[1,'))).toBe(400);

  const path = `/account/requests.csv?request=${id}`;
  const common = { key: 'laptop', endpoint: 'chat.completions', request_id: id, tokens_in: '0' };
  expect(await waitForFile(ada, path, 4)).toMatchObject([
    { ...common, status: '400', model, error_code: 'invalid_request_error' },
    {
      ...common,
      status: '402',
      model,
      error_code: 'insufficient_quota',
      reached_limit: 'tokens per day of the account',
      documentation: '/docs/errors#insufficient_quota',
    },
    { ...common, status: '404', model: 'unknown', error_code: 'model_not_found' },
    { ...common, status: '400', model: '', error_code: 'invalid_json', reached_limit: '' },
  ]);
  expect(await readFile(ada, '/account/requests.csv?status=402')).toHaveLength(1);
  const page = await ada.open(`/account/requests?request=${id}`);
  expect(page.text).toContain('<a href="/docs/errors#insufficient_quota">insufficient_quota</a>');
  expect(page.text).toContain('tokens per day of the account');
  const { requests, rejections: counts } = JSON.parse((await ada.open('/account/data.json')).text);
  expect(requests).toContainEqual(expect.objectContaining({ status: 402, request_id: id }));
  expect(counts).toContainEqual(expect.objectContaining({ status: 404, count: 1 }));
  expect(JSON.stringify(requests) + page.text).not.toMatch(/secret-project|private words/);

  const headers = { authorization: `Bearer ${ada.key}` };
  const looked = await fetch(`${site.server.url}/proxy/v1/generation?id=${id}`, { headers });
  expect(await looked.json()).toMatchObject({ data: { status: 400, tokens_prompt: 0, model } });

  const linked = link.slice(site.siteUrl.length);
  const visitor = await site.openBrowser().open(link);
  const signIn = `/sign-in?${new URLSearchParams({ to: linked })}`;
  expect(visitor.text).toContain(`href="${signIn}"`);
  expect((await site.signIn('ada', linked)).page.url).toBe(link);

  // Another member may have the same id.
  const foreign = await robin.open(linked);
  expect([foreign.status, foreign.text]).toEqual([404, expect.stringContaining('has this id')]);
  expect((await ada.open('/account/requests?request=of-nobody')).status).toBe(404);
  await robin.send(id, '{');
  expect(await waitForFile(robin, path, 1)).toMatchObject([{ key: 'worktable', status: '400' }]);
  expect(await readFile(ada, path)).toHaveLength(4);
  const all = await readFile(robin, `/admin/requests.csv?request=${id}`);
  expect(all.map(({ key }) => key)).toEqual(['worktable', ...Array(4).fill('laptop')]);
});

test('of a flood the list has ten a minute, and the counts have all of it', async () => {
  const ada = await makeKey('ada', 'ci');
  const sent = await Promise.all(
    Array.from({ length: 60 }, (_, index) => ada.send(`flood-${1_000 + index}`, '{')),
  );
  const statuses = sent.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
  const count = async () => {
    const { rejections } = JSON.parse((await ada.open('/account/data.json')).text);
    const own: { key: string; minute: string; count: number }[] = rejections.filter(
      ({ key }: { key: string }) => key === 'ci',
    );
    return {
      minutes: new Set(own.map(({ minute }) => minute)).size,
      requests: own.reduce((sum, row) => sum + row.count, 0),
    };
  };
  await expect.poll(async () => (await count()).requests).toBe(60);
  const { minutes } = await count();
  const listed = (await readFile(ada, '/account/requests.csv')).filter(({ key }) => key === 'ci');
  expect(listed.length).toBeLessThanOrEqual(10 * minutes);
  expect(listed.length).toBeGreaterThanOrEqual(10);
  for (const row of listed) expect(row.request_id).toMatch(/^flood-1\d\d\d$/);
  for (const status of [400, 429]) {
    const page = await ada.open(`/account/requests?status=${status}`);
    expect(page.text).not.toContain('No requests match.');
  }
});

test('an id that a client makes up is not stored where it is no id', async () => {
  const ada = await makeKey('ada', 'odd');
  const id = `mq_${'0'.repeat(43)}000000`;
  for (const sent of [id, '<script>alert(1)</script>', 'x'.repeat(65), "'; drop table"]) {
    const response = await ada.send(sent, '{');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const shown = await ada.open(`/account/requests?request=${encodeURIComponent(sent)}`);
    expect(shown.status).toBe(404);
  }
});
