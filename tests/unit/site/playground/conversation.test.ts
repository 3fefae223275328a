import { expect, test } from 'vitest';
import {
  type Conversation,
  type ConversationAction,
  emptyConversation,
  isBusy,
  reduceConversation,
} from '#lib/site/playground/conversation.ts';
import type { ReplyEvent } from '#lib/site/playground/stream-reply.ts';

function play(...actions: readonly ConversationAction[]): Conversation {
  return actions.reduce(reduceConversation, emptyConversation);
}

const prices = { priceIn: 2, priceOut: 10 } as const;
const sent = (content: string, atMs = 1000): ConversationAction => ({
  type: 'sent',
  isRetry: false,
  prompt: { content },
  prices,
  atMs,
});
const received = (event: ReplyEvent, atMs = 1500): ConversationAction => ({
  type: 'received',
  event,
  atMs,
});
const text = (words: string, atMs = 1500) => received({ kind: 'text', text: words }, atMs);
const ended = (atMs = 2000) => received({ kind: 'ended' }, atMs);

test('a reply grows by each text, and is timed from the question', () => {
  const state = play(
    sent('Name a star.'),
    text('Be', 1250),
    text('tel', 1300),
    received({ kind: 'usage', usage: { tokensIn: 4, tokensOut: 2 } }),
    ended(1900),
  );
  expect(state).toMatchObject({
    status: 'done',
    turns: [
      { role: 'user', content: 'Name a star.' },
      { role: 'assistant', content: 'Betel' },
    ],
    firstWordMs: 250,
    durationMs: 900,
    usage: { tokensIn: 4, tokensOut: 2 },
    error: null,
  });
});

test('the next question follows the reply, and has its own figures', () => {
  const state = play(sent('One'), text('1'), ended(), sent('Two', 5000));
  expect(state.turns.map(({ content }) => content)).toEqual(['One', '1', 'Two']);
  expect(state).toMatchObject({ status: 'waiting', firstWordMs: null, usage: null });
});

test('a stopped reply keeps its text, and ignores later events', () => {
  const state = play(sent('Go'), text('a'), { type: 'stopped', atMs: 1600 }, text('b'), ended());
  expect(state).toMatchObject({ status: 'stopped', durationMs: 600 });
  expect(state.turns.at(-1)?.content).toBe('a');
});

test('a failed reply shows its error, and a question without any reply is replaced by the next', () => {
  const error = { status: 503, code: 'server_is_overloaded', message: 'Busy.' };
  const failed = play(sent('One'), received({ kind: 'failed', error }));
  expect(failed).toMatchObject({ status: 'failed', error });
  const again = reduceConversation(failed, sent('Two'));
  expect(again.turns).toEqual([{ role: 'user', content: 'Two' }]);
  expect(again.error).toBeNull();
});

test('a truncated reply is not done', () => {
  const cut = received({ kind: 'cut', reason: 'max_output_tokens' });
  expect(play(sent('Go'), text('a'), cut, ended())).toMatchObject({
    status: 'cut',
    cutReason: 'max_output_tokens',
  });
});

test('only a question makes it busy; clearing empties it', () => {
  expect(isBusy(play())).toBe(false);
  expect(isBusy(play(sent('Go')))).toBe(true);
  expect(isBusy(play(sent('Go'), text('a')))).toBe(true);
  expect(isBusy(play(sent('Go'), ended()))).toBe(false);
  expect(play(sent('Go'), { type: 'cleared' })).toEqual(emptyConversation);
  expect(play(text('stray'), { type: 'stopped', atMs: 1 })).toEqual(emptyConversation);
});

test('a retry replaces the last prompt and what came of its reply', () => {
  const turns = [
    { role: 'user', content: 'first' },
    { role: 'assistant', content: 'reply' },
    { role: 'user', content: 'second' },
    { role: 'assistant', content: 'half of a' },
  ] as const;
  const prompt = { content: 'second' };
  const retry = { type: 'sent', prompt, prices, isRetry: true, atMs: 0 } as const;
  const retried = reduceConversation({ ...emptyConversation, turns }, retry);
  expect(retried.turns).toEqual(turns.slice(0, 3));
  const unanswered = { ...emptyConversation, turns: turns.slice(0, 3) };
  expect(reduceConversation(unanswered, retry).turns).toEqual(turns.slice(0, 3));
});

test('a reply costs its tokens at the prices of its model, and a conversation all of its replies', () => {
  const usage = (tokensIn: number, tokensOut: number) =>
    received({ kind: 'usage', usage: { tokensIn, tokensOut } });
  const first = play(sent('a'), usage(1_000, 100), ended());
  expect(first.costUsd).toBeCloseTo(0.003);
  const second = [sent('b'), usage(2_000, 200), ended()].reduce(reduceConversation, first);
  expect(second.costUsd).toBeCloseTo(0.006);
  expect(second.earlierCostUsd).toBeCloseTo(0.003);
  const free = { ...sent('c'), prices: { priceIn: null, priceOut: null } } as ConversationAction;
  const third = [free, usage(1, 1), ended()].reduce(reduceConversation, second);
  expect([third.costUsd, third.earlierCostUsd]).toEqual([null, expect.closeTo(0.009)]);
});

test('tokens in and out may come apart', () => {
  const state = play(
    sent('a'),
    received({ kind: 'usage', usage: { tokensIn: 7, tokensOut: 1 } }),
    received({ kind: 'usage', usage: { tokensOut: 5 } }),
  );
  expect(state.usage).toEqual({ tokensIn: 7, tokensOut: 5 });
});
