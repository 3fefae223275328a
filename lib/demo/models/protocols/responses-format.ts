import type { Completion } from '../completion/completion.ts';
import type { Frame, JsonObject } from '../reply.ts';
import { type ResponseMeta, toPieces } from './chat-format.ts';

type Item = Readonly<{ id: string; type: string } & JsonObject>;

/** The result of a Responses request that is not streamed. */
export function toResponsesResult(completion: Completion, meta: ResponseMeta): JsonObject {
  const isCut = completion.finish === 'length';
  return {
    ...toHead(meta),
    status: isCut ? 'incomplete' : 'completed',
    completed_at: isCut ? null : meta.createdAt,
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: toItems(completion, meta),
    usage: toUsage(completion),
  };
}

/** The same result as a stream of events, numbered from 0. */
export function toResponsesFrames(completion: Completion, meta: ResponseMeta): Frame[] {
  const started = { ...toHead(meta), status: 'in_progress', output: [], usage: null };
  const items = toItems(completion, meta);
  const events: JsonObject[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...items.flatMap((item, index) => toItemEvents(item, index, completion)),
    {
      type: completion.finish === 'length' ? 'response.incomplete' : 'response.completed',
      response: toResponsesResult(completion, meta),
    },
  ];
  const frames = events.map(
    (data, sequence): Frame => ({
      event: String(data.type),
      data: { ...data, sequence_number: sequence },
    }),
  );
  return [...frames, { event: null, data: '[DONE]' }];
}

function toItemEvents(item: Item, index: number, completion: Completion): JsonObject[] {
  if (item.type === 'message') return toMessageEvents(item, index, completion.pieces);
  if (item.type === 'reasoning') return toReasoningEvents(item, index, completion.reasoning);
  return toCallEvents(item, index);
}

function toReasoningEvents(item: Item, index: number, pieces: readonly string[]): JsonObject[] {
  const at = { item_id: item.id, output_index: index, summary_index: 0 };
  const text = pieces.join('');
  const part = { type: 'summary_text', text };
  const added = { ...item, summary: [] };
  return [
    { type: 'response.output_item.added', output_index: index, item: added },
    { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } },
    ...pieces.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
    { type: 'response.reasoning_summary_text.done', ...at, text },
    { type: 'response.reasoning_summary_part.done', ...at, part },
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

function toMessageEvents(item: Item, outputIndex: number, pieces: readonly string[]): JsonObject[] {
  const at = { item_id: item.id, output_index: outputIndex, content_index: 0 };
  const text = pieces.join('');
  return [
    {
      type: 'response.output_item.added',
      output_index: outputIndex,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...at, part: toTextPart('') },
    ...pieces.map((delta) => ({
      type: 'response.output_text.delta',
      ...at,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part: toTextPart(text) },
    { type: 'response.output_item.done', output_index: outputIndex, item },
  ];
}

function toCallEvents(item: Item, outputIndex: number): JsonObject[] {
  const at = { item_id: item.id, output_index: outputIndex };
  const isCustom = item.type === 'custom_tool_call';
  const field = isCustom ? 'input' : 'arguments';
  const event = isCustom ? 'custom_tool_call_input' : 'function_call_arguments';
  const written = String(item[field]);
  return [
    {
      type: 'response.output_item.added',
      output_index: outputIndex,
      item: { ...item, status: 'in_progress', [field]: '' },
    },
    ...toPieces(written).map((delta) => ({
      type: `response.${event}.delta`,
      ...at,
      delta,
    })),
    { type: `response.${event}.done`, ...at, name: item.name, [field]: written },
    { type: 'response.output_item.done', output_index: outputIndex, item },
  ];
}

function toItems(completion: Completion, meta: ResponseMeta): Item[] {
  const thought = completion.reasoning.join('');
  if (thought === '') return toReplyItems(completion, meta);
  const reasoning = {
    type: 'reasoning',
    id: `rs_${meta.id}`,
    summary: [{ type: 'summary_text', text: thought }],
    encrypted_content: 'demo-encrypted',
  };
  return [reasoning, ...toReplyItems(completion, meta)];
}

function toReplyItems({ calls, finish, pieces }: Completion, { id }: ResponseMeta): Item[] {
  if (calls.length === 0) {
    const status = finish === 'length' ? 'incomplete' : 'completed';
    const content = [toTextPart(pieces.join(''))];
    return [{ type: 'message', id: `msg_${id}`, status, role: 'assistant', content }];
  }
  return calls.map((call, index) => ({
    type: call.isCustom ? 'custom_tool_call' : 'function_call',
    id: `${call.isCustom ? 'ctc' : 'fc'}_${id}_${index}`,
    call_id: call.id,
    name: call.name,
    ...(call.namespace !== undefined && { namespace: call.namespace }),
    [call.isCustom ? 'input' : 'arguments']: call.arguments,
    status: 'completed',
  }));
}

function toTextPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

/** The request's settings, which the response repeats. */
const repeatedFields = [
  'instructions',
  'max_output_tokens',
  'metadata',
  'parallel_tool_calls',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_p',
  'truncation',
  'user',
];

function toHead({ id, createdAt, model, request }: ResponseMeta) {
  const given = repeatedFields.filter((name) => (request[name] ?? null) !== null);
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: createdAt,
    completed_at: null,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    model,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    user: null,
    ...Object.fromEntries(given.map((name) => [name, request[name]])),
  };
}

function toUsage({ promptTokens, outputTokens }: Completion) {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens + outputTokens,
  };
}
