import { agents } from '../../../agents/agents.ts';
import { readRecording } from '../../../agents/recordings.ts';
import type { Fields } from '../../upstreams/stand-in/reply.ts';
import { imageUrl, weatherParameters, weatherTool } from '../client-fixtures.ts';
import { picture } from '../libraries/anthropic.ts';
import { toFields, toList } from './conversation.ts';
import { createShapeClient, type MatrixClient, type Shape } from './shape-client.ts';

const { name, description } = weatherTool;
const chatTool = toChatTool(name, weatherParameters);
const chatPicture = (prompt: string, detail?: string) => {
  const image = { type: 'image_url', image_url: { url: imageUrl, ...(detail && { detail }) } };
  return [{ role: 'user', content: [{ type: 'text', text: prompt }, image] }];
};

/** By the adapter for OpenAI’s API, with `extraBodyProperties` for reasoning. */
const continueShape: Shape = {
  client: 'Continue',
  api: 'chat',
  outputTool: null,
  toBody: ({ model, turns }) => ({
    messages: [{ role: 'system', content: 'You are in agent mode.' }, ...turns],
    model,
    max_tokens: 4096,
    stream: true,
    tools: [chatTool],
    reasoning_effort: 'high',
  }),
  toPictureTurns: (prompt) => chatPicture(prompt, 'auto'),
  // LM Studio takes no empty content.
  toReturned: (turn) => ({ ...turn, content: turn.content || ' ' }),
};

/** By its provider “OpenAI Compatible”, for a model that reasons. */
const cline: Shape = {
  client: 'Cline',
  api: 'chat',
  outputTool: null,
  toBody: ({ model, turns }) => ({
    model,
    messages: [{ role: 'developer', content: 'You are Cline.' }, ...turns],
    reasoning_effort: 'medium',
    stream: true,
    stream_options: { include_usage: true },
    tools: [chatTool],
  }),
  toPictureTurns: (prompt) => chatPicture(prompt),
};

/** By its generator of content; it gets JSON as the input of a tool. */
const qwenCode: Shape = {
  client: 'qwen-code',
  api: 'chat',
  outputTool: 'respond_in_schema',
  toBody: ({ model, turns, schema }) => ({
    model,
    messages: [{ role: 'system', content: 'You are Qwen Code.' }, ...turns],
    temperature: 0,
    max_tokens: 32_000,
    reasoning_effort: 'medium',
    ...(schema === undefined
      ? { tools: [chatTool], stream: true, stream_options: { include_usage: true } }
      : {
          tools: [toChatTool('respond_in_schema', schema)],
          tool_choice: 'required',
          stream: true,
        }),
  }),
  toPictureTurns: (prompt) => chatPicture(prompt),
  toReturned: withReasoningContent,
};

const opencode: Shape = {
  client: 'opencode',
  api: 'chat',
  outputTool: 'StructuredOutput',
  toBody: ({ model, turns, schema }) => {
    const { messages, tools, ...body } = toRecorded('opencode');
    return {
      ...body,
      model,
      reasoning_effort: 'medium',
      messages: [...toSystem(messages), ...turns],
      tools: [
        ...toList(tools),
        chatTool,
        ...(schema === undefined ? [] : [toChatTool('StructuredOutput', schema)]),
      ],
    };
  },
  toPictureTurns: (prompt) => chatPicture(prompt),
  toReturned: withReasoningContent,
};

const opencodeByResponses: Shape = {
  client: 'opencode by Responses',
  api: 'responses',
  outputTool: 'StructuredOutput',
  toBody: ({ model, turns, schema }) => {
    const { input, tools, ...body } = toRecorded('opencode by Responses');
    return {
      ...body,
      model,
      reasoning: { effort: 'medium', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      input: [...toSystem(input), ...turns],
      tools: [
        ...toList(tools),
        toFlatTool(name, weatherParameters),
        ...(schema === undefined ? [] : [toFlatTool('StructuredOutput', schema)]),
      ],
    };
  },
  toPictureTurns: (prompt) => [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: prompt },
        { type: 'input_image', image_url: imageUrl },
      ],
    },
  ],
};

const codexShape: Shape = {
  client: 'Codex CLI',
  api: 'responses',
  headers: { accept: 'text/event-stream', originator: 'codex_exec' },
  toBody: ({ model, turns, schema }) => {
    const { input, tools, text, ...body } = toRecorded('Codex CLI');
    const format = { type: 'json_schema', strict: true, name: 'codex_output_schema', schema };
    return {
      ...body,
      model,
      reasoning: { effort: 'medium', summary: 'auto' },
      input: [...toList(input).slice(0, -1), ...turns],
      tools: [...toList(tools), toFlatTool(name, weatherParameters)],
      text: schema === undefined ? text : { ...toFields(text), format },
    };
  },
  // The result of a tool that reads it.
  toPictureTurns: (prompt) => [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] },
    {
      type: 'function_call',
      call_id: 'call_9',
      name: 'view_image',
      arguments: '{"path":"/tmp/pixel.png"}',
    },
    {
      type: 'function_call_output',
      call_id: 'call_9',
      output: [{ type: 'input_image', image_url: imageUrl }],
    },
  ],
};

const claudeCodeShape: Shape = {
  client: 'Claude Code',
  api: 'messages',
  headers: readRecording({ name: 'Claude Code' })[0]?.headers ?? {},
  outputTool: 'StructuredOutput',
  toBody: ({ model, turns, schema }) => {
    const { messages, tools, ...body } = toRecorded('Claude Code');
    const [first, ...others] = toList(messages);
    const [reminder] = toList(first?.content);
    const [question, ...later] = turns;
    const opening = { ...question, content: [reminder, ...toList(question?.content)] };
    const outputTool = { name: 'StructuredOutput', description, input_schema: schema };
    return {
      ...body,
      model,
      messages: [opening, ...others, ...withCacheControl(later)],
      tools: [
        ...toList(tools),
        { name, description, input_schema: weatherParameters },
        ...(schema === undefined ? [] : [outputTool]),
      ],
    };
  },
  // The result of a tool that reads it.
  toPictureTurns: (prompt) => [
    { role: 'user', content: [{ type: 'text', text: prompt }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_9', name: 'Read', input: { file_path: '/tmp/a' } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_9', content: [picture] }],
    },
  ],
};

export const codex = createShapeClient(codexShape);
export const claudeCode = createShapeClient(claudeCodeShape);

/** What these agents send; they themselves run with `npm run test:agents`. */
export const shapeClients: readonly MatrixClient[] = [
  ...[continueShape, cline, qwenCode, opencode, opencodeByResponses].map(createShapeClient),
  codex,
  claudeCode,
];

/** The first recorded request of an agent that has tools. */
function toRecorded(agentName: string): Fields {
  const agent = agents.find(({ name }) => name === agentName);
  if (agent === undefined) throw new TypeError(`There is no ${agentName}.`);
  const bodies = readRecording(agent).map(({ body }) => toFields(body));
  return bodies.find(({ tools }) => toList(tools).length > 0) ?? {};
}

function toSystem(turns: unknown): readonly Fields[] {
  return toList(turns).filter(({ role }) => role === 'system');
}

function withReasoningContent(turn: Fields, thinking: string): Fields {
  return { ...turn, ...(thinking !== '' && { reasoning_content: thinking }) };
}

/** It marks the last block of the conversation. */
function withCacheControl(turns: readonly Fields[]): readonly Fields[] {
  return turns.map((turn, index) => {
    if (index < turns.length - 1) return turn;
    const blocks = toList(turn.content);
    const last = { ...blocks.at(-1), cache_control: { type: 'ephemeral' } };
    return { ...turn, content: [...blocks.slice(0, -1), last] };
  });
}

function toChatTool(toolName: string, parameters: Fields): Fields {
  return { type: 'function', function: { name: toolName, description, parameters } };
}

function toFlatTool(toolName: string, parameters: Fields): Fields {
  return { type: 'function', name: toolName, description, parameters, strict: false };
}
