import { expect, test } from 'vitest';
import {
  type Conversation,
  type ConversationAction,
  emptyConversation,
  isBusy,
  reduceConversation,
} from '#lib/playground/conversation.ts';
import type { ReplyEvent } from '#lib/playground/reply-event.ts';

function play(...actions: readonly ConversationAction[]): Conversation {
  return actions.reduce(reduceConversation, emptyConversation);
}

const asked = (prompt: string, atMs = 1000): ConversationAction => ({
  type: 'asked',
  prompt,
  atMs,
});
const heard = (event: ReplyEvent, atMs = 1500): ConversationAction => ({
  type: 'heard',
  event,
  atMs,
});
const text = (words: string, atMs = 1500) => heard({ kind: 'text', text: words }, atMs);
const ended = (atMs = 2000) => heard({ kind: 'ended' }, atMs);

test('a reply grows with its words, and is timed from the question', () => {
  const state = play(
    asked('Name a star.'),
    text('Be', 1250),
    text('tel', 1300),
    heard({ kind: 'usage', usage: { tokensIn: 4, tokensOut: 2 } }),
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

test('the next question comes behind the reply, and has figures of its own', () => {
  const state = play(asked('One'), text('1'), ended(), asked('Two', 5000));
  expect(state.turns.map(({ content }) => content)).toEqual(['One', '1', 'Two']);
  expect(state).toMatchObject({ status: 'waiting', firstWordMs: null, usage: null });
});

test('a reply that was stopped keeps its words, and hears nothing more', () => {
  const state = play(asked('Go'), text('a'), { type: 'stopped', atMs: 1600 }, text('b'), ended());
  expect(state).toMatchObject({ status: 'stopped', durationMs: 600 });
  expect(state.turns.at(-1)?.content).toBe('a');
});

test('a reply that failed says so, and a question without a word of reply gives way to the next', () => {
  const error = { status: 503, code: 'server_is_overloaded', message: 'Busy.' };
  const failed = play(asked('One'), heard({ kind: 'failed', error }));
  expect(failed).toMatchObject({ status: 'failed', error });
  const again = reduceConversation(failed, asked('Two'));
  expect(again.turns).toEqual([{ role: 'user', content: 'Two' }]);
  expect(again.error).toBeNull();
});

test('a reply that was cut short is not done', () => {
  const cut = heard({ kind: 'cut', reason: 'max_output_tokens' });
  expect(play(asked('Go'), text('a'), cut, ended())).toMatchObject({
    status: 'cut',
    cutReason: 'max_output_tokens',
  });
});

test('only a question makes it busy; clearing makes it empty', () => {
  expect(isBusy(play())).toBe(false);
  expect(isBusy(play(asked('Go')))).toBe(true);
  expect(isBusy(play(asked('Go'), text('a')))).toBe(true);
  expect(isBusy(play(asked('Go'), ended()))).toBe(false);
  expect(play(asked('Go'), { type: 'cleared' })).toEqual(emptyConversation);
  expect(play(text('stray'), { type: 'stopped', atMs: 1 })).toEqual(emptyConversation);
});
