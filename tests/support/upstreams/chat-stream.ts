import fc from 'fast-check';

/** Chat streams of upstreams, and a validator for those that clients receive. */

export const chatHead = {
  id: 'chatcmpl-upstream',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'maker/model-1',
};

export const chatUsage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 3 },
  completion_tokens_details: { reasoning_tokens: 2 },
};

export type Delta = Readonly<Record<string, unknown>>;

export function chatChunk(delta: Delta, finishReason: string | null = null, more: object = {}) {
  return { ...chatHead, choices: [{ index: 0, delta, finish_reason: finishReason }], ...more };
}

export const usageChunk = { ...chatHead, choices: [], usage: chatUsage };

/** The chunks of a reply. */
export const role = chatChunk({ role: 'assistant', content: '' });
export const hello = chatChunk({ content: 'Hé' });
export const stop = chatChunk({}, 'stop');
export const ordinary = [role, hello, chatChunk({ content: '😀' }), stop, usageChunk];

/** A stream of chunks; strings are written unchanged. Ends with `[DONE]` by default. */
export function toChatStream(
  chunks: readonly (object | string)[],
  { done = true }: { done?: boolean } = {},
): string {
  const data = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : JSON.stringify(chunk)));
  return [...data, ...(done ? ['[DONE]'] : [])].map((line) => `data: ${line}\n\n`).join('');
}

/** The deltas of a call: id and name once, then pieces of its arguments. */
export function toolCallDeltas(
  index: number,
  call: Readonly<{ id: string; name: string; pieces: readonly string[] }>,
): Delta[] {
  const { id, name, pieces } = call;
  return [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

function toChunksOfCalls(deltas: readonly Delta[]): object[] {
  return [...deltas.map((delta) => chatChunk(delta)), chatChunk({}, 'tool_calls')];
}

/** A text and a call, after a comment, in characters of up to four bytes. */
export function createMixedStream(): string {
  const call = toolCallDeltas(0, { id: 'call_a', name: 'look', pieces: ['{"at":', '"日本"}'] });
  const chunks = [hello, ...toChunksOfCalls(call), usageChunk];
  return `: PROCESSING\r\n\r\n${toChatStream(chunks)}`;
}

/** The pieces of two calls in turns, and what they add up to. */
export function createInterleavedCalls() {
  const deltas = toolCallDeltas(0, { id: 'a', name: 'f', pieces: ['{"x":', '1}'] });
  const two = toolCallDeltas(1, { id: 'b', name: 'g', pieces: ['{"y":', '2}'] });
  const mixed = deltas.flatMap((delta, index) => [delta, two[index] ?? {}]);
  const toolCalls = [
    { id: 'a', name: 'f', arguments: '{"x":1}' },
    { id: 'b', name: 'g', arguments: '{"y":2}' },
  ];
  return { stream: toChatStream(toChunksOfCalls(mixed)), toolCalls };
}

/** The content of a stream, and every rule for streams that it breaks. */
export type ChatStreamReport = Readonly<{
  problems: readonly string[];
  text: string;
  refusal: string;
  toolCalls: readonly Readonly<{ id: string; name: string; arguments: string }>[];
  finishReason: string | null;
  usage: unknown;
  error: Readonly<Record<string, unknown>> | null;
}>;

type AnyChunk = {
  id?: unknown;
  object?: unknown;
  created?: unknown;
  model?: unknown;
  error?: Record<string, unknown>;
  usage?: unknown;
  choices?: {
    index: number;
    finish_reason: string | null;
    delta: {
      role?: string;
      content?: string | null;
      refusal?: string | null;
      tool_calls?: {
        index: number;
        id?: string;
        function?: { name?: string; arguments?: string };
      }[];
    };
  }[];
};

/** Parses a client's stream of one choice, and checks the rules of chat streams. */
export function examineChatStream(stream: string): ChatStreamReport {
  const problems: string[] = [];
  const expect = (isTrue: boolean, problem: string) => isTrue || problems.push(problem);
  const frames = stream.split('\n\n');
  expect(frames.pop() === '', 'the last frame lacks its blank line');
  expect(frames.pop() === 'data: [DONE]', 'the last frame is not [DONE]');
  expect(!frames.includes('data: [DONE]'), 'there are two [DONE]');
  let text = '';
  let refusal = '';
  let finishReason: string | null = null;
  let usage: unknown = null;
  let error: Record<string, unknown> | null = null;
  let first: AnyChunk | null = null;
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const frame of frames) {
    expect(/^data: [^\r\n]+$/.test(frame), `not one data line: ${frame}`);
    const chunk: AnyChunk = JSON.parse(frame.slice(6));
    expect(error === null && usage === null, 'a chunk follows the last one');
    if ('error' in chunk) {
      expect(Object.keys(chunk).join() === 'error', 'an error has other fields beside it');
      error = chunk.error ?? null;
      const keys = Object.keys(error ?? {})
        .sort()
        .join();
      expect(keys === 'code,message,param,type', `an error has the keys ${keys}`);
      continue;
    }
    first ??= chunk;
    expect(chunk.object === 'chat.completion.chunk', 'an object has the wrong name');
    expect(typeof chunk.id === 'string' && chunk.id !== '', 'an id is missing');
    expect(Number.isInteger(chunk.created), 'created is missing');
    expect(
      chunk.id === first.id && chunk.created === first.created && chunk.model === first.model,
      'a head differs',
    );
    const choice = chunk.choices?.[0];
    if (choice === undefined) {
      expect(finishReason !== null, 'usage comes before the finish reason');
      expect(typeof chunk.usage === 'object', 'a chunk has neither choices nor usage');
      usage = chunk.usage;
      continue;
    }
    expect((chunk.usage ?? null) === null, 'a chunk with choices has usage');
    expect(chunk !== first || choice.delta.role === 'assistant', 'the role is missing');
    expect(Number.isInteger(choice.index), 'an index is missing');
    expect(choice.finish_reason !== undefined, 'finish_reason is missing');
    expect(choice.finish_reason === null || finishReason === null, 'there are two finish reasons');
    finishReason ??= choice.finish_reason;
    text += choice.delta.content ?? '';
    refusal += choice.delta.refusal ?? '';
    for (const piece of choice.delta.tool_calls ?? []) {
      expect(Number.isInteger(piece.index), 'the index of a call is missing');
      calls[piece.index] ??= {
        id: piece.id ?? '',
        name: piece.function?.name ?? '',
        arguments: '',
      };
      const call = calls[piece.index];
      if (call !== undefined) call.arguments += piece.function?.arguments ?? '';
    }
  }
  expect(error !== null || finishReason !== null, 'there is no finish reason');
  expect(
    [...calls].every((call) => call?.id && call.name),
    'a call lacks its id or name',
  );
  return { problems, text, refusal, toolCalls: calls, finishReason, usage, error };
}

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const anyArguments = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
  )
  .map(([value, lengths]) => cutText(JSON.stringify(value), lengths));

export type Script = Readonly<{
  deltas: readonly Delta[];
  text: string;
  refusal: string;
  toolCalls: readonly Readonly<{ id: string; name: string; arguments: string }>[];
}>;

/** Streams with deltas of text, refusals, reasoning and tool calls in any order. */
export const anyScript: fc.Arbitrary<Script> = fc
  .record({
    texts: fc.array(anyText, { maxLength: 6 }),
    refusals: fc.array(anyText, { maxLength: 2 }),
    reasoning: fc.array(anyText, { maxLength: 3 }),
    calls: fc.array(fc.tuple(fc.constantFrom('look', 'add', 'send'), anyArguments), {
      maxLength: 4,
    }),
    order: fc.infiniteStream(fc.nat(100)),
  })
  .map(({ texts, refusals, reasoning, calls, order }) => {
    const queues: Delta[][] = [
      texts.map((content) => ({ content })),
      refusals.map((refusal) => ({ refusal })),
      reasoning.map((piece) => ({ reasoning_content: piece })),
      ...calls.map(([name, pieces], index) =>
        toolCallDeltas(index, { id: `call_${index}`, name, pieces }),
      ),
    ];
    return {
      deltas: interleave(queues, order),
      text: texts.join(''),
      refusal: refusals.join(''),
      toolCalls: calls.map(([name, pieces], index) => ({
        id: `call_${index}`,
        name,
        arguments: pieces.join(''),
      })),
    };
  });

function interleave(queues: Delta[][], order: Iterator<number>): Delta[] {
  const result: Delta[] = [];
  for (;;) {
    const left = queues.filter((queue) => queue.length > 0);
    const next = left[order.next().value % left.length]?.shift();
    if (next === undefined) return result;
    result.push(next);
  }
}

function cutText(text: string, lengths: Iterator<number>): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + lengths.next().value;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}
