import type { Fields } from './reply.ts';
import type { StandInProtocol, StandInRequest } from './stand-in.ts';

/** What an upstream has got, whatever the protocol. */
export type ReadRequest = Readonly<{
  /** The texts of the user. */
  prompt: string;
  toolNames: readonly unknown[];
  /** Of the replies that came back. */
  calls: readonly Readonly<{ id: unknown; name: unknown; input: unknown }>[];
  results: readonly Readonly<{ id: unknown; text: string }>[];
  /** Data URLs. */
  pictures: readonly unknown[];
  /** Of a structured output. */
  schema: Fields | null;
  /** Of tools. */
  schemas: readonly unknown[];
  asksForThinking: boolean;
  /** Reasoning that came back: its text, signature or encrypted content. */
  returned: readonly unknown[];
}>;

type Reader = (body: Fields) => ReadRequest;

export function readRequest({ protocol, body }: StandInRequest): ReadRequest {
  return readers[protocol](body);
}

const readers: Readonly<Record<StandInProtocol, Reader>> = {
  chat: readChat,
  responses: readResponses,
  messages: readMessages,
};

function readChat(body: Fields): ReadRequest {
  const { messages, tools, response_format, reasoning_effort, reasoning } = body;
  const turns = toList(messages);
  const parts = turns.flatMap(({ content }) => toParts(content));
  return {
    prompt: toPrompt(turns, 'text'),
    toolNames: toList(tools).map((tool) => toFields(tool.function).name),
    schemas: toList(tools).map((tool) => toFields(tool.function).parameters),
    calls: turns.flatMap(({ tool_calls: calls }) =>
      toList(calls).map((call) => {
        const { name, arguments: input } = toFields(call.function);
        return { id: call.id, name, input: parse(input) };
      }),
    ),
    results: turns
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id: id, content }) => ({ id, text: toText(content) })),
    pictures: parts
      .filter(({ type }) => type === 'image_url')
      .map(({ image_url: image }) => toFields(image).url),
    schema: toSchema(toFields(toFields(response_format).json_schema).schema),
    asksForThinking: reasoning_effort !== undefined || reasoning !== undefined,
    returned: turns.flatMap(({ reasoning_content: text, reasoning: other = text }) =>
      other === undefined ? [] : [other],
    ),
  };
}

function readResponses({ input, tools, text, reasoning }: Fields): ReadRequest {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : toList(input);
  const results = items.filter(({ type }) => type === 'function_call_output');
  const parts = items.flatMap(({ content, output }) => [...toParts(content), ...toParts(output)]);
  return {
    prompt: toPrompt(items, 'input_text'),
    toolNames: toList(tools).map(({ name, type }) => name ?? type),
    schemas: toList(tools).map(({ parameters }) => parameters),
    calls: items
      .filter(({ type }) => type === 'function_call')
      .map((call) => ({ id: call.call_id, name: call.name, input: parse(call.arguments) })),
    results: results.map(({ call_id: id, output }) => ({ id, text: toText(output) })),
    pictures: parts.filter(({ type }) => type === 'input_image').map(({ image_url: url }) => url),
    schema: toSchema(toFields(toFields(text).format).schema),
    asksForThinking: toFields(reasoning).effort !== undefined,
    returned: items
      .filter(({ type }) => type === 'reasoning')
      .map((item) => item.encrypted_content ?? toText(item.content)),
  };
}

function readMessages({ messages, tools, output_config, thinking }: Fields): ReadRequest {
  const turns = toList(messages);
  const blocks = turns.flatMap(({ content }) => toParts(content));
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const all = [...blocks, ...results.flatMap(({ content }) => toParts(content))];
  return {
    prompt: toPrompt(turns, 'text'),
    toolNames: toList(tools).map(({ name }) => name),
    schemas: toList(tools).map(({ input_schema: schema }) => schema),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ id, name, input })),
    results: results.map(({ tool_use_id: id, content }) => ({ id, text: toText(content) })),
    pictures: all.filter(({ type }) => type === 'image').map(({ source }) => toUrl(source)),
    schema: toSchema(toFields(toFields(output_config).format).schema),
    asksForThinking: ['enabled', 'adaptive'].includes(String(toFields(thinking).type)),
    returned: blocks
      .filter(({ type }) => type === 'thinking')
      .map(({ signature, thinking: text }) => signature || text),
  };
}

function toPrompt(turns: readonly Fields[], textType: string): string {
  return turns
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => toParts(content))
    .filter(({ type }) => type === textType)
    .map(({ text }) => text)
    .join('\n');
}

function toUrl(source: unknown): unknown {
  const { media_type: type, data, url } = toFields(source);
  return url ?? `data:${type};base64,${data}`;
}

/** A text is one part, of the type that all protocols have for texts. */
function toParts(content: unknown): readonly Fields[] {
  if (typeof content !== 'string') return toList(content);
  return [
    { type: 'text', text: content },
    { type: 'input_text', text: content },
  ];
}

function toText(content: unknown): string {
  if (typeof content === 'string') return content;
  return toList(content)
    .map(({ text }) => text ?? '')
    .join('');
}

function toSchema(schema: unknown): Fields | null {
  return schema === undefined ? null : toFields(schema);
}

function parse(input: unknown): unknown {
  return typeof input === 'string' ? JSON.parse(input) : input;
}

function toList(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value : [];
}

export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
