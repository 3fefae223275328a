import type { Turn } from './chat-request.ts';
import type { ReplyError, ReplyEvent, Usage } from './reply-event.ts';

/** How the last reply stands. */
export type ReplyStatus = 'idle' | 'waiting' | 'streaming' | 'stopped' | 'cut' | 'failed' | 'done';

export type Conversation = Readonly<{
  /** The reply that is being written is the last of them. */
  turns: readonly Turn[];
  status: ReplyStatus;
  /** Unix time in ms at which the last question was sent. */
  askedAtMs: number;
  /** From there to the first word of the reply. */
  firstWordMs: number | null;
  durationMs: number | null;
  usage: Usage | null;
  error: ReplyError | null;
  cutReason: string | null;
}>;

export type ConversationAction =
  | Readonly<{ type: 'asked'; prompt: string; atMs: number }>
  | Readonly<{ type: 'heard'; event: ReplyEvent; atMs: number }>
  /** By whoever asked. */
  | Readonly<{ type: 'stopped'; atMs: number }>
  | Readonly<{ type: 'cleared' }>;

export const emptyConversation: Conversation = {
  turns: [],
  status: 'idle',
  askedAtMs: 0,
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

/** What a conversation is after something happened. Pure. */
export function reduceConversation(state: Conversation, action: ConversationAction): Conversation {
  switch (action.type) {
    case 'cleared':
      return emptyConversation;
    case 'asked':
      return {
        ...emptyConversation,
        turns: [...withoutUnanswered(state.turns), { role: 'user', content: action.prompt }],
        status: 'waiting',
        askedAtMs: action.atMs,
      };
    case 'stopped':
      return isBusy(state) ? end(state, 'stopped', action.atMs) : state;
    case 'heard':
      return isBusy(state) ? hear(state, action.event, action.atMs) : state;
  }
}

function hear(state: Conversation, event: ReplyEvent, atMs: number): Conversation {
  switch (event.kind) {
    case 'text':
      return {
        ...state,
        status: 'streaming',
        turns: appendText(state.turns, event.text),
        firstWordMs: state.firstWordMs ?? atMs - state.askedAtMs,
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
  return { ...state, status, durationMs: atMs - state.askedAtMs };
}

function appendText(turns: readonly Turn[], text: string): Turn[] {
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return [...turns, { role: 'assistant', content: text }];
  return [...turns.slice(0, -1), { ...last, content: last.content + text }];
}

// A question that got no word of a reply is asked again in other words: two in a row mean something else.
function withoutUnanswered(turns: readonly Turn[]): readonly Turn[] {
  return turns.at(-1)?.role === 'user' ? turns.slice(0, -1) : turns;
}
