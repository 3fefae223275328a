import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { type Path, unsupportedField } from '../json/check.ts';

/** A tool that the client runs, and that OpenAI’s models know without a schema. Its type is the name of the function. */
export type ClientTool = Readonly<{
  type: string;
  idPrefix: 'sh' | 'lsh' | 'apc';
  description: string;
  parameters: JsonObject;
  /** What the item of a call has besides ids and a status. @param input of the function; empty if it is not complete */
  toFields: (input: JsonObject) => JsonObject;
  /** The input of the function that an item stands for. */
  toInput: (item: JsonObject) => unknown;
  /** The result of a call as text. */
  toOutput: (item: JsonObject) => string;
}>;

const text = (description: string) => ({ type: 'string', description });
const bounds = {
  timeout_ms: { type: 'integer', description: 'When to stop it, in milliseconds.' },
  max_output_length: { type: 'integer', description: 'The most characters of output to return.' },
};

const shell: ClientTool = {
  type: 'shell',
  idPrefix: 'sh',
  description:
    'Runs commands in a shell on the computer of the user, each in a process of its own.',
  parameters: {
    type: 'object',
    properties: {
      commands: { type: 'array', items: text('A command line.') },
      ...bounds,
    },
    required: ['commands'],
  },
  toFields: ({ commands, timeout_ms = null, max_output_length = null }) => ({
    action: { commands: toTexts(commands), timeout_ms, max_output_length },
    environment: null,
  }),
  toInput: ({ action }) => action,
  toOutput: ({ output }) => toJsonArray(output).map(toJsonObject).map(describeRun).join('\n'),
};

function describeRun({ stdout, stderr, outcome }: JsonObject): string {
  const { type, exit_code: code } = toJsonObject(outcome);
  const ending = type === 'timeout' ? 'timed out' : `exit code ${String(code ?? 0)}`;
  return [toText(stdout), toText(stderr), `(${ending})`].filter((part) => part !== '').join('\n');
}

const localShell: ClientTool = {
  type: 'local_shell',
  idPrefix: 'lsh',
  description: 'Runs a program on the computer of the user.',
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'array', items: text('The program, and each of its arguments.') },
      working_directory: text('Where to run it.'),
      timeout_ms: bounds.timeout_ms,
      env: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['command'],
  },
  toFields: ({ command, env, timeout_ms = null, working_directory = null }) => ({
    action: {
      type: 'exec',
      command: toTexts(command),
      env: toJsonObject(env),
      timeout_ms,
      working_directory,
      user: null,
    },
  }),
  toInput({ action }) {
    const { type: _, user: __, ...input } = toJsonObject(action);
    return input;
  },
  toOutput: ({ output }) => toText(output),
};

const applyPatch: ClientTool = {
  type: 'apply_patch',
  idPrefix: 'apc',
  description:
    'Creates, updates or deletes one file. In a diff each line begins with "+" if it is new, "-" if it is removed, or a space if it stays; "@@" and a line above it begin each place of an update. A new file has only lines with "+".',
  parameters: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
      path: text('The file.'),
      diff: text('What changes, except for `delete_file`.'),
    },
    required: ['type', 'path'],
  },
  toFields: ({ type, path, diff }) => ({
    operation: {
      type: toText(type) || 'update_file',
      path: toText(path),
      ...(type !== 'delete_file' && { diff: toText(diff) }),
    },
  }),
  toInput: ({ operation }) => operation,
  toOutput: ({ status, output }) => toText(output) || toText(status),
};

const tools: readonly ClientTool[] = [shell, localShell, applyPatch];

/** A model gives one command as a text now and then. */
function toTexts(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : toJsonArray(value).map(toText);
}

export function findClientTool(type: unknown): ClientTool | null {
  return tools.find((tool) => tool.type === type) ?? null;
}

/** The tool that an item of the conversation belongs to, which is a call, or its result. */
export function findToolOfItem(
  type: string,
): Readonly<{ tool: ClientTool; isOutput: boolean }> | null {
  const [, name, isOutput] = /^(\w+?)_call(_output)?$/.exec(type) ?? [];
  const tool = findClientTool(name);
  return tool && { tool, isOutput: isOutput !== undefined };
}

/** @throws HttpError 400 for a tool that nobody would run: one of a computer, or a shell in a container */
export function rejectUnknownTool({ type, environment }: JsonObject, path: Path): void {
  const isComputer = typeof type === 'string' && type.startsWith('computer');
  const isHosted = isJsonObject(environment) && environment.type !== 'local';
  if (!isComputer && !(type === 'shell' && isHosted)) return;
  throw unsupportedField(
    path,
    isComputer
      ? 'The model’s server does not know this tool: leave it out, or define a function yourself.'
      : 'The model’s server has no containers: leave out `environment`, and run the commands yourself.',
  );
}
