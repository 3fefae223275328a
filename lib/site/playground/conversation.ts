import type { Turn } from './chat-request.ts';
import type { ReplyError, ReplyEvent, Usage } from './stream-reply.ts';

/** Of a million tokens, in US dollars. */
type ReplyPrices = Readonly<{ priceIn: number | null; priceOut: number | null }>;

/** What a visitor sends. */
export type Prompt = Omit<Turn, 'role'>;

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
  /** US dollars by the list, of the last reply; null: unknown. */
  costUsd: number | null;
  /** Of all replies before it, as far as they are known. */
  earlierCostUsd: number;
  prices: ReplyPrices;
  error: ReplyError | null;
  cutReason: string | null;
}>;

export type ConversationAction =
  /** A retry replaces the last prompt and what came of its reply. */
  | Readonly<{ type: 'sent'; prompt: Prompt; prices: ReplyPrices; isRetry: boolean; atMs: number }>
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
  costUsd: null,
  earlierCostUsd: 0,
  prices: { priceIn: null, priceOut: null },
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
        earlierCostUsd: state.earlierCostUsd + (state.costUsd ?? 0),
        prices: action.prices,
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
      return withUsage(state, event.usage);
    case 'cut':
      return { ...state, cutReason: event.reason };
    case 'failed':
      return { ...end(state, 'failed', atMs), error: event.error };
    case 'ended':
      return end(state, state.cutReason === null ? 'done' : 'cut', atMs);
  }
}

function withUsage(state: Conversation, known: Partial<Usage>): Conversation {
  const usage = { tokensIn: 0, tokensOut: 0, ...state.usage, ...known };
  const { priceIn, priceOut } = state.prices;
  const isPriced = priceIn !== null && priceOut !== null;
  const costUsd = isPriced
    ? (usage.tokensIn * priceIn + usage.tokensOut * priceOut) / 1_000_000
    : null;
  return { ...state, usage, costUsd };
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
export function addPrompt(turns: readonly Turn[], prompt: Prompt): Turn[] {
  const answered = turns.at(-1)?.role === 'user' ? turns.slice(0, -1) : turns;
  return [...answered, { role: 'user', ...prompt }];
}

/** The last prompt, with a reply or without. */
export function findLastPrompt(turns: readonly Turn[]): Prompt {
  const { role: _, ...prompt } = turns.findLast(({ role }) => role === 'user') ?? noPrompt;
  return prompt;
}

const noPrompt: Turn = { role: 'user', content: '' };

function withoutLastPrompt(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.findLastIndex(({ role }) => role === 'user');
  return turns.slice(0, Math.max(0, last));
}
