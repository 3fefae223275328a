import {
  type Fields,
  type StandInCall,
  type StandInEvent,
  type StandInReply,
  standInError,
  tokensIn,
  tokensOut,
  toPieces,
} from './reply.ts';

/** How a server’s Responses differ from OpenAI’s. */
export type ResponsesForm = Readonly<{
  /** Reasoning comes as text, not as a summary with an encrypted original. */
  hasReasoningText?: boolean;
  /** Events have neither a number nor the index of their item, and usage has no details. */
  lacksNumbers?: boolean;
}>;

/** What reasoning is in a later request. */
export const encryptedContent = 'gAAAAABo-encrypted';

/** A complete response. */
export function toResponseObject(
  reply: StandInReply,
  request: Fields,
  form: ResponsesForm,
): Fields {
  const details = {
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const usage = {
    input_tokens: tokensIn,
    output_tokens: tokensOut,
    total_tokens: tokensIn + tokensOut,
    ...(!form.lacksNumbers && details),
  };
  const output = toItems(reply, request, form);
  return { ...toHead(request), status: 'completed', completed_at: 1_760_000_001, output, usage };
}

/** The same in events. */
export function toResponseEvents(
  reply: StandInReply,
  request: Fields,
  form: ResponsesForm,
): readonly StandInEvent[] {
  const started = { ...toHead(request), status: 'in_progress', output: [], usage: null };
  const events: StandInEvent[] = [
    { data: { type: 'response.created', response: started } },
    { data: { type: 'response.in_progress', response: started } },
    ...toItems(reply, request, form).flatMap(toItemEvents),
    { data: { type: 'response.completed', response: toResponseObject(reply, request, form) } },
  ];
  return events.map(({ data, ...event }, number) => {
    const { output_index: _, ...unnumbered } = data;
    const sent = form.lacksNumbers ? unnumbered : { ...data, sequence_number: number };
    return { ...event, data: sent };
  });
}

/** As OpenAI’s server fails in a stream. */
export const responsesFailure: Fields = {
  type: 'error',
  sequence_number: 99,
  error: { ...standInError, param: null },
};

function toHead({ model, tools = [], tool_choice = 'auto', text, reasoning }: Fields): Fields {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_760_000_000,
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    model,
    parallel_tool_calls: true,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: reasoning ?? { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'default',
    store: false,
    temperature: 1,
    text: text ?? { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice,
    tools,
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    user: null,
  };
}

function toItems(
  { thinking, text, calls = [] }: StandInReply,
  { include }: Fields,
  { hasReasoningText = false }: ResponsesForm,
): readonly Fields[] {
  const isEncrypted = JSON.stringify(include ?? []).includes('reasoning.encrypted_content');
  const reasoning = hasReasoningText
    ? { summary: [], content: [{ type: 'reasoning_text', text: thinking }] }
    : {
        summary: [{ type: 'summary_text', text: thinking }],
        ...(isEncrypted && { encrypted_content: encryptedContent }),
      };
  const content = [{ type: 'output_text', annotations: [], logprobs: [], text }];
  const message = { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant' };
  return [
    ...(thinking === undefined ? [] : [{ id: 'rs_1', type: 'reasoning', ...reasoning }]),
    ...(text === undefined ? [] : [{ ...message, content }]),
    ...calls.map(toCallItem),
  ];
}

function toCallItem({ id, name, input }: StandInCall): Fields {
  const written = JSON.stringify(input);
  const call = { id: `fc_${id}`, type: 'function_call', status: 'completed' };
  return { ...call, arguments: written, call_id: id, name };
}

function toItemEvents(item: Fields, index: number): readonly StandInEvent[] {
  const at = { item_id: item.id, output_index: index };
  const started = toStarted(item);
  return [
    { data: { type: 'response.output_item.added', output_index: index, item: started } },
    ...toInnerEvents(item, at),
    { data: { type: 'response.output_item.done', output_index: index, item } },
  ];
}

function toStarted(item: Fields): Fields {
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  const { content: _, ...reasoning } = item;
  return { ...reasoning, summary: [] };
}

function toInnerEvents(item: Fields, at: Fields): readonly StandInEvent[] {
  if (item.type === 'function_call') {
    const written = String(item.arguments);
    const type = 'response.function_call_arguments';
    return [
      ...toPieces(written).map((delta) => ({
        data: { type: `${type}.delta`, ...at, delta, obfuscation: 'a1B2' },
      })),
      { data: { type: `${type}.done`, ...at, arguments: written } },
    ];
  }
  const [part] = [...((item.content as Fields[]) ?? []), ...((item.summary as Fields[]) ?? [])];
  return part === undefined ? [] : toPartEvents(part, at);
}

/** Of each kind of part: its index, and the names of its events. */
const partEvents: Readonly<Record<string, readonly [index: string, part: string, text: string]>> = {
  output_text: ['content_index', 'content_part', 'output_text'],
  reasoning_text: ['content_index', 'content_part', 'reasoning_text'],
  summary_text: ['summary_index', 'reasoning_summary_part', 'reasoning_summary_text'],
};

function toPartEvents(part: Fields, at: Fields): readonly StandInEvent[] {
  const [index, partName, textName] = partEvents[String(part.type)] ?? ['', '', ''];
  const of = { ...at, [index]: 0 };
  const isText = part.type === 'output_text';
  const text = String(part.text);
  const logprobs = isText ? { logprobs: [] } : {};
  return [
    { data: { type: `response.${partName}.added`, ...of, part: { ...part, text: '' } } },
    ...toPieces(text).map((delta) => ({
      data: { type: `response.${textName}.delta`, ...of, delta, ...logprobs, obfuscation: 'a1B2' },
      isText,
    })),
    { data: { type: `response.${textName}.done`, ...of, text, ...logprobs } },
    { data: { type: `response.${partName}.done`, ...of, part } },
  ];
}
