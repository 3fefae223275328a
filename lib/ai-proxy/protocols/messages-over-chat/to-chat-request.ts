import { createHash } from 'node:crypto';
import { type JsonObject, toJsonArray, toText, withoutNulls } from '#lib/http/json-value.ts';
import { toFunctionName, toFunctionTool } from '../chat/function-tool.ts';
import type { Origins } from '../chat/own-param.ts';
import { type Path, unsupportedField } from '../json/check.ts';
import { keepNumbers } from '../json/source-text.ts';
import type { MessagesOptions } from '../messages/messages-endpoint.ts';
import type { MessagesRequest } from '../messages/messages-request.ts';
import { type SentRequest, toChatMessages } from './to-chat-messages.ts';

/** Fields that have the same name and meaning on both sides, also those of aggregators. */
const sharedFields = [
  'model',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'models',
  'provider',
  'seed',
  'cache_control',
] as const;

/**
 * Creates the request for an upstream with only Chat Completions. @throws HttpError 400 for what chat does
 * not support.
 */
export function toChatRequest(request: SentRequest): JsonObject {
  const { body, options, isStream } = request;
  rejectServers(body);
  const sent = withoutNulls({
    ...Object.fromEntries(sharedFields.map((field) => [field, body[field]])),
    messages: toChatMessages(request).map(({ message }) => message),
    stop: options.stop_sequences?.length ? options.stop_sequences : undefined,
    user: toUser(options.metadata?.user_id),
    reasoning_effort: toReasoningEffort(options),
    response_format: toResponseFormat(options),
    ...toToolFields(options),
    ...(isStream && { stream: true, stream_options: { include_usage: true } }),
  });
  return keepNumbers(body, sent);
}

function rejectServers({ mcp_servers: servers }: JsonObject): void {
  if (toJsonArray(servers).length === 0) return;
  throw unsupportedField(
    ['mcp_servers'],
    'The model’s server connects to no MCP servers: call their tools yourself, and list them in `tools`.',
  );
}

const userLengthMax = 64;

/** OpenAI takes no longer names of users: Claude Code's, which has 150 characters, becomes its hash. */
function toUser(id: string | null | undefined): string | null | undefined {
  if (!id || id.length <= userLengthMax) return id;
  return createHash('sha256').update(id).digest('hex');
}

/** Where the request has what the chat request was made of. */
export function toOrigins(request: MessagesRequest): Origins {
  const { output_config: output, thinking } = request.options;
  return {
    messages: toChatMessages(request).map(({ path }) => path),
    tools: toOffered(request.options).map(({ path }) => path),
    schemaField: 'input_schema',
    fields: {
      max_completion_tokens: ['max_tokens'],
      stop: ['stop_sequences'],
      user: ['metadata', 'user_id'],
      reasoning_effort:
        output?.effort || !thinking ? ['output_config', 'effort'] : ['thinking', 'budget_tokens'],
      response_format: output?.format ? ['output_config', 'format'] : ['output_format'],
      parallel_tool_calls: ['tool_choice', 'disable_parallel_tool_use'],
      stream_options: null,
    },
  };
}

/** Tools with a schema; those that run at an upstream are left out unless they are demanded. */
function toOffered({
  tools,
}: MessagesOptions): readonly Readonly<{ tool: JsonObject; path: Path }>[] {
  return (tools ?? [])
    .map((tool, index) => {
      const path = ['tools', index];
      return { tool: withSchema(tool, path), path };
    })
    .filter(({ tool }) => tool.input_schema !== undefined);
}

function toToolFields(options: MessagesOptions): JsonObject {
  const { tool_choice: choice } = options;
  const offered = toOffered(options).map(({ tool }) => tool);
  if (choice?.type === 'tool' && !offered.some(({ name }) => name === choice.name)) {
    throw unsupportedField(
      ['tool_choice', 'name'],
      'The model’s server can only use tools from `tools` that have an `input_schema`.',
    );
  }
  if (choice?.type === 'any' && offered.length === 0) {
    throw unsupportedField(
      ['tool_choice'],
      'The model’s server can only use tools that have an `input_schema`, and `tools` has none.',
    );
  }
  if (offered.length === 0) return {};
  return {
    tools: offered.map(toChatTool),
    tool_choice: toToolChoice(choice),
    parallel_tool_calls: choice?.disable_parallel_tool_use === true ? false : undefined,
  };
}

function toChatTool(tool: JsonObject): JsonObject {
  const { name, description, input_schema: parameters, strict, cache_control } = tool;
  const sentName = toFunctionName(toText(name));
  return toFunctionTool({ name: sentName, description, parameters, strict }, cache_control);
}

/** The name that a client has given to a function of the chat request. */
export function toToolName(sentName: string, { tools }: MessagesOptions): string {
  return (
    tools?.map(({ name }) => name ?? '').find((name) => toFunctionName(name) === sentName) ??
    sentName
  );
}

function toToolChoice(choice: MessagesOptions['tool_choice']): unknown {
  switch (choice?.type) {
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: toFunctionName(choice.name ?? '') } };
    default:
      return choice?.type;
  }
}

function toResponseFormat({
  output_config: output,
  output_format: earlier,
}: MessagesOptions): JsonObject | undefined {
  const format = output?.format ?? earlier;
  if (!format) return undefined;
  const { type, schema } = format;
  if (type !== 'json_schema') {
    throw unsupportedField(
      output?.format ? ['output_config', 'format', 'type'] : ['output_format', 'type'],
      'The model’s server knows only the format `json_schema`: use that, or leave the format out.',
    );
  }
  return { type: 'json_schema', json_schema: { name: 'output', schema, strict: true } };
}

/** Chat has no token budget for thinking, only three common efforts. */
function toReasoningEffort({ thinking, output_config: output }: MessagesOptions): unknown {
  if (thinking?.type === 'disabled') return undefined;
  if (output?.effort) return output.effort;
  const budget = thinking?.type === 'enabled' ? thinking.budget_tokens : null;
  if (typeof budget !== 'number') return undefined;
  if (budget <= 2048) return 'low';
  return budget <= 8192 ? 'medium' : 'high';
}

/**
 * A tool that Anthropic defines and the client runs, with the documented schema, which Anthropic's models know without
 * it. Any other tool is returned as it is. @throws HttpError 400 for the use of a computer
 */
function withSchema(tool: JsonObject, path: Path): JsonObject {
  const type = toText(tool.type);
  if (tool.input_schema !== undefined) return tool;
  if (type.startsWith('bash_')) return { ...bash, ...withoutNulls(tool) };
  if (type.startsWith('memory_')) return { ...memory, ...withoutNulls(tool) };
  if (type.startsWith('text_editor_')) return { ...toEditor(type), ...withoutNulls(tool) };
  if (!type.startsWith('computer_')) return tool;
  throw unsupportedField(
    path,
    `The model’s server does not know tools of the type \`${type.slice(0, 100)}\`: leave the tool out, or define it yourself with an \`input_schema\`.`,
  );
}

const text = (description: string) => ({ type: 'string', description });
const viewRange = {
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
  description: 'For `view` of a file: the first and the last line, from 1; -1 is the last line.',
};
const insertLine = {
  type: 'integer',
  description: 'For `insert`: the line after which to insert; 0 is the beginning of the file.',
};

const bash = {
  name: 'bash',
  description:
    'Runs a command in a bash session that lasts: directories, variables and files stay as they are between calls.',
  input_schema: {
    type: 'object',
    properties: {
      command: text('The command to run. Required unless `restart` is true.'),
      restart: { type: 'boolean', description: 'True starts the session anew.' },
    },
  },
};

/** The first versions could undo, and named the inserted text as the replaced one. */
const oldEditor = /^text_editor_(?:20241022|20250124)$/;

function toEditor(type: string): JsonObject {
  const isOld = oldEditor.test(type);
  const commands = ['view', 'create', 'str_replace', 'insert'];
  return {
    name: isOld ? 'str_replace_editor' : 'str_replace_based_edit_tool',
    description: 'Views, creates and edits text files.',
    input_schema: {
      type: 'object',
      properties: {
        command: { type: 'string', enum: isOld ? [...commands, 'undo_edit'] : commands },
        path: text('The file; for `view` also a directory.'),
        view_range: viewRange,
        file_text: text('For `create`: the content of the new file.'),
        old_str: text('For `str_replace`: the text to replace, exactly as it stands there, once.'),
        new_str: text(`For \`str_replace\`${isOld ? ' and `insert`' : ''}: the new text.`),
        insert_line: insertLine,
        ...(!isOld && { insert_text: text('For `insert`: the text to insert.') }),
      },
      required: ['command', 'path'],
    },
  };
}

const memory = {
  name: 'memory',
  description:
    'Keeps notes in files under /memories, which outlast the conversation. View the directory before starting a task.',
  input_schema: {
    type: 'object',
    properties: {
      command: {
        type: 'string',
        enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'],
      },
      path: text('The file or directory, such as /memories/notes.md; for all but `rename`.'),
      view_range: viewRange,
      file_text: text('For `create`: the content of the file.'),
      old_str: text('For `str_replace`: the text to replace, exactly as it stands there, once.'),
      new_str: text('For `str_replace`: the new text.'),
      insert_line: insertLine,
      insert_text: text('For `insert`: the text to insert.'),
      old_path: text('For `rename`: the path until now.'),
      new_path: text('For `rename`: the new path.'),
    },
    required: ['command'],
  },
};
