import { examineChatStream } from '../../upstreams/chat-stream.ts';
import { examineMessagesStream } from '../../upstreams/messages-stream.ts';
import { examineResponsesStream } from '../../upstreams/responses-stream.ts';
import type { Fields } from '../../upstreams/stand-in/reply.ts';

export type ShapeApi = 'chat' | 'responses' | 'messages';
type Call = Readonly<{ id: string; name: string; arguments: string }>;

/** A complete stream, as a client without a library reads it. */
export type ReadReply = Readonly<{
  problems: readonly string[];
  text: string;
  thinking: string;
  calls: readonly Call[];
  /** What the next request has of it. */
  turns: readonly Fields[];
}>;

/** How conversations are written and streams are read in an API. */
export type Conversation = Readonly<{
  path: string;
  toUserTurn: (text: string) => Fields;
  toResultTurns: (calls: readonly Call[], outputs: readonly string[]) => readonly Fields[];
  /** What one event brings; `error` is the message of a failure. */
  readEvent: (event: Fields) => Readonly<{ text?: unknown; thinking?: unknown; error?: unknown }>;
  /** The last event of a reply that is complete. */
  isEnd: (data: string) => boolean;
  readReply: (stream: string) => Omit<ReadReply, 'thinking'>;
}>;

const chat: Conversation = {
  path: '/proxy/v1/chat/completions',
  toUserTurn: (content) => ({ role: 'user', content }),
  toResultTurns: (calls, outputs) =>
    calls.map(({ id }, index) => ({ role: 'tool', tool_call_id: id, content: outputs[index] })),
  readEvent({ choices, error }) {
    const [choice] = toList(choices);
    const { content: text, reasoning_content: thinking } = toFields(choice?.delta);
    return { text, thinking, error: toFields(error).message };
  },
  isEnd: (data) => data === '[DONE]',
  readReply(stream) {
    const { problems, text, toolCalls: calls } = examineChatStream(stream);
    const tool_calls = calls.map(({ id, name, arguments: input }) => {
      return { id, type: 'function', function: { name, arguments: input } };
    });
    const turn = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls }) };
    return { problems, text, calls, turns: [turn] };
  },
};

const responses: Conversation = {
  path: '/proxy/v1/responses',
  toUserTurn: (text) => ({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text }],
  }),
  toResultTurns: (calls, outputs) =>
    calls.map(({ id: call_id }, index) => {
      return { type: 'function_call_output', call_id, output: outputs[index] };
    }),
  readEvent({ type, delta, error }) {
    if (type === 'response.output_text.delta') return { text: delta };
    if (type === 'response.reasoning_summary_text.delta') return { thinking: delta };
    return type === 'error' ? { error: toFields(error).message } : {};
  },
  isEnd: (data) => data.startsWith('{"type":"response.completed"'),
  readReply(stream) {
    const { problems, text, toolCalls, response } = examineResponsesStream(stream);
    const calls = toolCalls.map(({ id, name, arguments: input }) => {
      return { id: String(id), name: String(name), arguments: String(input) };
    });
    return { problems, text, calls, turns: toList(response.output) };
  },
};

const messages: Conversation = {
  path: '/proxy/v1/messages?beta=true',
  toUserTurn: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  toResultTurns: (calls, outputs) => [
    {
      role: 'user',
      content: calls.map(({ id: tool_use_id }, index) => {
        return { tool_use_id, type: 'tool_result', content: outputs[index] };
      }),
    },
  ],
  readEvent({ type, delta, error }) {
    const { text, thinking } = toFields(delta);
    return type === 'error' ? { error: toFields(error).message } : { text, thinking };
  },
  isEnd: (data) => data.startsWith('{"type":"message_stop"'),
  readReply(stream) {
    const { problems, text, toolCalls: calls, blocks } = examineMessagesStream(stream);
    const content = blocks.map(({ type, id, name, text: written, signature }) => {
      if (type === 'tool_use') return { type, id, name, input: JSON.parse(written) };
      return type === 'text' ? { type, text: written } : { type, thinking: written, signature };
    });
    return { problems, text, calls, turns: [{ role: 'assistant', content }] };
  },
};

export const conversations: Readonly<Record<ShapeApi, Conversation>> = {
  chat,
  responses,
  messages,
};

export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function toList(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value : [];
}
