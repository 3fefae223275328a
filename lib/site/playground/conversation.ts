import type { Turn } from './chat-request.ts';
import type { ReplyError, ReplyEvent, Usage } from './stream-reply.ts';

/** The state of the last reply. */
type ReplyStatus = 'idle' | 'waiting' | 'streaming' | 'stopped' | 'cut' | 'failed' | 'done';

export type Conversation = Readonly<{
  /** The reply being streamed is the last one. */
  turns: readonly Turn[];
  status: ReplyStatus;
  /** Unix time in ms of the last prompt. */
  sentAtMs: number;
  /** Time to the first text of the reply. */
  firstWordMs: number | null;
  durationMs: number | null;
  usage: Usage | null;
  error: ReplyError | null;
  cutReason: string | null;
}>;

export type ConversationAction =
  /** A retry replaces the last prompt and what came of its reply. */
  | Readonly<{ type: 'sent'; prompt: string; isRetry: boolean; atMs: number }>
  | Readonly<{ type: 'received'; event: ReplyEvent; atMs: number }>
  /** By the visitor. */
  | Readonly<{ type: 'stopped'; atMs: number }>
  | Readonly<{ type: 'cleared' }>;

export const emptyConversation: Conversation = {
  turns: [],
  status: 'idle',
  sentAtMs: 0,
  firstWordMs: null,
  durationMs: null,
  usage: null,
  error: null,
  cutReason: null,
};

/** Whether a reply is on its way. */
export function isBusy({ status }: Conversation): boolean {
  return status === 'waiting' || status === 'streaming';
}

export function reduceConversation(state: Conversation, action: ConversationAction): Conversation {
  switch (action.type) {
    case 'cleared':
      return emptyConversation;
    case 'sent':
      return {
        ...emptyConversation,
        turns: action.isRetry
          ? addPrompt(withoutLastPrompt(state.turns), action.prompt)
          : addPrompt(state.turns, action.prompt),
        status: 'waiting',
        sentAtMs: action.atMs,
      };
    case 'stopped':
      return isBusy(state) ? end(state, 'stopped', action.atMs) : state;
    case 'received':
      return isBusy(state) ? receive(state, action.event, action.atMs) : state;
  }
}

function receive(state: Conversation, event: ReplyEvent, atMs: number): Conversation {
  switch (event.kind) {
    case 'text':
      return {
        ...state,
        status: 'streaming',
        turns: appendText(state.turns, event.text),
        firstWordMs: state.firstWordMs ?? atMs - state.sentAtMs,
      };
    case 'usage':
      return { ...state, usage: event.usage };
    case 'cut':
      return { ...state, cutReason: event.reason };
    case 'failed':
      return { ...end(state, 'failed', atMs), error: event.error };
    case 'ended':
      return end(state, state.cutReason === null ? 'done' : 'cut', atMs);
  }
}

function end(state: Conversation, status: ReplyStatus, atMs: number): Conversation {
  return { ...state, status, durationMs: atMs - state.sentAtMs };
}

function appendText(turns: readonly Turn[], text: string): Turn[] {
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return [...turns, { role: 'assistant', content: text }];
  return [...turns.slice(0, -1), { ...last, content: last.content + text }];
}

/**
 * The turns with a new prompt. One without a reply is replaced: two user turns in a row would mean something
 * else.
 */
export function addPrompt(turns: readonly Turn[], prompt: string): Turn[] {
  const answered = turns.at(-1)?.role === 'user' ? turns.slice(0, -1) : turns;
  return [...answered, { role: 'user', content: prompt }];
}

/** The last prompt, with a reply or without. */
export function findLastPrompt(turns: readonly Turn[]): string {
  return turns.findLast(({ role }) => role === 'user')?.content ?? '';
}

function withoutLastPrompt(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.findLastIndex(({ role }) => role === 'user');
  return turns.slice(0, Math.max(0, last));
}
