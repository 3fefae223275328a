import { describe, expect, test } from 'vitest';
import { startPipelineServer, toPost } from '../../../support/servers/pipeline-server.ts';
import { examineChatStream } from '../../../support/upstreams/chat-stream.ts';
import { startCountingUpstream } from '../../../support/upstreams/counting-upstream.ts';
import { examineResponsesStream } from '../../../support/upstreams/responses-stream.ts';

const budget = 5000;
const step = 256;

const user = { role: 'user', content: 'Write as much as you can.' };
const toRequest = (fields: object = {}) =>
  toPost(JSON.stringify({ model: 'm', messages: [user], input: user.content, ...fields }));

async function send(url: string, fields: object = {}) {
  const response = await fetch(url, toRequest(fields));
  return { status: response.status, text: await response.text() };
}

describe('a key of 5,000 tokens a day that asks for as much as it can', () => {
  test.each([
    ['a stream', { stream: true }],
    ['a whole reply', {}],
    ['a huge bound', { max_tokens: 1_000_000 }],
    ['a hundred choices', { n: 100 }],
    ['a hundred choices in a stream', { n: 100, stream: true }],
    ['both bounds', { max_tokens: 1, max_completion_tokens: 1_000_000, stream: true }],
  ])('never uses more than that and one step: %s', async (_, fields) => {
    await using upstream = await startCountingUpstream({ replyTokens: 20_000 });
    await using server = await startPipelineServer({ ...upstream, tokensPerDay: budget });

    const statuses: number[] = [];
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all([1, 2, 3, 4].map(() => send(server.url, fields)));
      statuses.push(...replies.map(({ status }) => status));
    }

    expect(statuses).toContain(200);
    expect(statuses.at(-1)).toBe(402);
    expect(upstream.spent.replyTokens).toBeLessThanOrEqual(budget + step);
    expect(upstream.spent.replyTokens).toBeGreaterThan(budget * 0.8);
  });

  test('is cut off where the upstream ignores the bound', async () => {
    const unbounded = { replyTokens: 200_000, isObedient: false, tokensPerEvent: 20 };
    await using upstream = await startCountingUpstream(unbounded);
    await using server = await startPipelineServer({ ...upstream, tokensPerDay: budget });

    const { text } = await send(server.url, {
      stream: true,
      stream_options: { include_usage: true },
    });

    const report = examineChatStream(text);
    expect(report).toMatchObject({ problems: [], finishReason: 'length', error: null });
    expect(report.text.length / 4).toBeGreaterThan(4900);
    expect(report.text.length / 4).toBeLessThanOrEqual(budget + step);
    await expect.poll(() => upstream.open()).toBe(0);
    expect(server.reservations).toEqual({ open: 0, tokens: expect.any(Number) });
    expect(server.reservations.tokens).toBeLessThanOrEqual(budget + step);
    expect(server.log.lines).toEqual([]);
    expect((await send(server.url, { stream: true })).status).toBe(402);
  });

  test('is cut off with `incomplete` in a translated stream', async () => {
    const unbounded = { replyTokens: 200_000, isObedient: false };
    await using upstream = await startCountingUpstream(unbounded);
    await using server = await startPipelineServer({
      ...upstream,
      tokensPerDay: budget,
      style: 'translated',
    });

    const { text } = await send(server.url, { stream: true });

    const { problems, response, types } = examineResponsesStream(text);
    expect(problems).toEqual([]);
    expect(types.at(-1)).toBe('response.incomplete');
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ type: 'message', status: 'incomplete' }],
    });
  });
});

test('a stream that outgrows its first reservation goes on while the budget lasts', async () => {
  await using upstream = await startCountingUpstream({ replyTokens: 20_000, tokensPerEvent: 100 });
  await using server = await startPipelineServer({ ...upstream, tokensPerDay: 100_000 });

  const { text } = await send(server.url, { stream: true });

  const report = examineChatStream(text);
  expect(report).toMatchObject({ problems: [], finishReason: 'stop' });
  expect(report.text).toHaveLength(80_000);
  expect(server.reservations.open).toBe(0);
});
