import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
  withoutNulls,
} from '#lib/http/json-value.ts';
import { toFunctionName, toFunctionTool } from '../chat/function-tool.ts';
import { parseArguments, toArgumentsText } from '../json/arguments.ts';
import { type Path, unsupportedField } from '../json/check.ts';
import { markField, type ReasoningMark } from '../reasoning-mark.ts';
import type { ToClientItem } from '../responses/response-object.ts';
import type { ResponsesRequest } from '../responses/responses-request.ts';
import { type ClientTool, findClientTool, rejectUnknownTool } from './client-tools.ts';

/** A tool of a Responses request as chat knows it: a function with a name of its own. */
type ChatTool = Readonly<{
  /** In chat. */
  sentName: string;
  name: string;
  namespace: string | null;
  /** Called with any text instead of JSON. */
  isCustom: boolean;
  clientTool: ClientTool | null;
  tool: JsonObject;
  /** In the request. */
  path: Path;
}>;

/** How a call of the model is shown to the client. */
type CallIdentity = Pick<ChatTool, 'name' | 'namespace' | 'isCustom' | 'clientTool'>;

/** What the name of a function stands for in a request. */
export type Identify = (sentName: string) => CallIdentity;

/** The tools of a request as chat has them. */
export type ChatTools = Readonly<{
  /** `tools`, `tool_choice` and `parallel_tool_calls` of the chat request. */
  fields: JsonObject;
  /** Where the request has each of them. */
  paths: readonly Path[];
  toSentName: (name: string, namespace: unknown) => string;
}>;

/**
 * Translates tools: those in a namespace get a common name, custom ones become functions with one text, a shell and
 * others that OpenAI defines functions with a schema. Tools that run at an upstream are left out. @throws HttpError 400
 * for a tool that nobody would run, and if `tool_choice` demands one that is left out.
 */
export function toChatTools(request: ResponsesRequest): ChatTools {
  const { options } = request;
  const listed = listTools(request);
  for (const { tool, path } of listed) rejectUnknownTool(tool, path);
  const tools = collectTools(listed);
  const find = (name: string, namespace: unknown) =>
    tools.find((tool) => tool.name === name && tool.namespace === (namespace ?? null));
  const toSentName = (name: string, namespace: unknown) =>
    find(name, namespace)?.sentName ?? toChatName(name, namespace);
  const offered = toOffered(tools, options, toSentName);
  return {
    fields: toFields(offered, options),
    paths: offered.offered.map(({ path }) => path),
    toSentName,
  };
}

/** How the calls of a reply are shown. The tools of the request are read when the first call is. */
export function createIdentify(request: ResponsesRequest): Identify {
  let identify: Identify | null = null;
  return (sentName) => {
    identify ??= toIdentify(collectTools(listTools(request)));
    return identify(sentName);
  };
}

function toIdentify(tools: readonly ChatTool[]): Identify {
  const byName = new Map(tools.map((tool) => [tool.sentName, tool]));
  return (sentName) =>
    byName.get(sentName) ??
    findOnly(tools, sentName) ?? {
      name: sentName,
      namespace: null,
      isCustom: false,
      clientTool: null,
    };
}

/** The tool of a call that came without its namespace, if no other has its name. */
function findOnly(tools: readonly ChatTool[], name: string): ChatTool | null {
  const [found = null, ...others] = tools.filter((tool) => tool.name === name);
  return others.length === 0 ? found : null;
}

/** Items that bring tools into a conversation. */
const toolItemTypes: ReadonlySet<string> = new Set(['additional_tools', 'tool_search_output']);

type ListedTool = Readonly<{ tool: JsonObject; path: Path; namespace: string | null }>;

/** All tools of a request, those of namespaces one by one. */
function listTools({ options, input }: ResponsesRequest): readonly ListedTool[] {
  const added = input.flatMap((item, index) =>
    item.kind === 'hosted' && toolItemTypes.has(item.type)
      ? toListed(item.sent.tools, ['input', index, 'tools'], null)
      : [],
  );
  return [...toListed(options.tools, ['tools'], null), ...added].flatMap((listed) =>
    listed.tool.type === 'namespace'
      ? toListed(listed.tool.tools, [...listed.path, 'tools'], toText(listed.tool.name))
      : [listed],
  );
}

function toListed(tools: unknown, path: Path, namespace: string | null): readonly ListedTool[] {
  return toJsonArray(tools).map((tool, index) => ({
    tool: toJsonObject(tool),
    path: [...path, index],
    namespace,
  }));
}

function collectTools(listed: readonly ListedTool[]): readonly ChatTool[] {
  const read = listed.map(toChatTool).filter((tool) => tool !== null);
  return [...new Map(read.map((tool) => [tool.sentName, tool])).values()];
}

function toChatTool({ tool, path, namespace }: ListedTool): ChatTool | null {
  const clientTool = findClientTool(tool.type);
  const definition: JsonObject = clientTool ?? tool;
  const { type, description, parameters, strict, cache_control } = definition;
  const name = clientTool?.type ?? toText(tool.name);
  const isCustom = type === 'custom';
  if ((type !== 'function' && !isCustom && clientTool === null) || name === '') return null;
  const sentName = toChatName(name, namespace);
  const described = isCustom
    ? { name: sentName, description: describeCustom(tool), parameters: customParameters }
    : { name: sentName, description, parameters, strict };
  return {
    sentName,
    name,
    namespace,
    isCustom,
    clientTool,
    tool: toFunctionTool(described, cache_control),
    path,
  };
}

/** The name of a function for one that may be in a namespace. */
function toChatName(name: string, namespace: unknown): string {
  return toFunctionName(typeof namespace === 'string' ? `${namespace}__${name}` : name);
}

/** The field of a custom tool's only argument. */
const customField = 'input';
const customParameters = {
  type: 'object',
  properties: { [customField]: { type: 'string' } },
  required: [customField],
  additionalProperties: false,
};

function describeCustom({ description, format }: JsonObject): string {
  const { syntax, definition } = toJsonObject(format);
  const texts = [toText(description), `Put the whole text into \`${customField}\`.`];
  if (definition !== undefined) {
    texts.push(`It must match this ${toText(syntax)} grammar:\n${toText(definition)}`);
  }
  return texts.filter((text) => text !== '').join('\n\n');
}

export function toCustomArguments(input: string): string {
  return JSON.stringify({ [customField]: input });
}

/** The text of a custom call. Some models send it without the JSON around it, or name its only field otherwise. */
function readCustomInput(parsed: JsonObject | null, text: string): string {
  const values = Object.values(parsed ?? {});
  const input = parsed?.[customField] ?? (values.length === 1 ? values[0] : null);
  return typeof input === 'string' ? input : text;
}

type Offered = Readonly<{ choice: unknown; offered: readonly ChatTool[] }>;

function toOffered(
  tools: readonly ChatTool[],
  options: ResponsesRequest['options'],
  toSentName: ChatTools['toSentName'],
): Offered {
  const { choice, allowed } = toToolChoice(options.tool_choice, toSentName);
  const offered = tools.filter(({ sentName }) => allowed === null || allowed.has(sentName));
  const named = isJsonObject(choice) ? toJsonObject(choice.function).name : null;
  const isThere = named === null || offered.some(({ sentName }) => sentName === named);
  if (!isThere || (choice === 'required' && offered.length === 0)) throw undemandable();
  return { choice, offered };
}

/** Upstreams reject an empty list of tools, and the other two fields without one. */
function toFields({ choice, offered }: Offered, options: ResponsesRequest['options']): JsonObject {
  if (offered.length === 0) return {};
  return withoutNulls({
    tools: offered.map(({ tool }) => tool),
    tool_choice: choice,
    parallel_tool_calls: options.parallel_tool_calls,
  });
}

type ToolChoice = Readonly<{ choice: unknown; allowed: ReadonlySet<string> | null }>;

function toToolChoice(
  requested: ResponsesRequest['options']['tool_choice'],
  toSentName: ChatTools['toSentName'],
): ToolChoice {
  if (typeof requested !== 'object' || requested === null)
    return { choice: requested, allowed: null };
  const { type, name, namespace } = requested;
  const named = findClientTool(type)?.type ?? name;
  if (type !== 'allowed_tools' && named !== undefined) {
    const choice = { type: 'function', function: { name: toSentName(named, namespace) } };
    return { choice, allowed: null };
  }
  if (type !== 'allowed_tools') throw undemandable();
  // Few chat servers support this choice; offering only these tools has the same effect.
  const names = toJsonArray(requested.tools)
    .map(toJsonObject)
    .map((tool) =>
      toSentName(findClientTool(tool.type)?.type ?? toText(tool.name), tool.namespace),
    );
  return { choice: requested.mode ?? 'auto', allowed: new Set(names) };
}

function undemandable() {
  return unsupportedField(
    ['tool_choice'],
    'The model’s server takes only functions and custom tools, so nothing else can be demanded: use `none`, `auto`, `required` or {"type": "function", "name": "…"} with one of your `tools`.',
  );
}

/** A call, whose arguments are those of a function, in the form of its tool. @param parsed its arguments, once they are complete */
export function toCallItem(
  { name, namespace, isCustom, clientTool }: CallIdentity,
  call: Readonly<{
    id: unknown;
    callId: unknown;
    parsed: JsonObject | null;
    text: string;
    status: unknown;
  }>,
): JsonObject {
  const { id, callId, parsed, text, status } = call;
  if (clientTool !== null) {
    const fields = clientTool.toFields(parsed ?? {});
    return { type: `${clientTool.type}_call`, id, call_id: callId, ...fields, status };
  }
  const common = { id, call_id: callId, name, ...(namespace !== null && { namespace }) };
  return isCustom
    ? { type: 'custom_tool_call', ...common, input: readCustomInput(parsed, text), status }
    : { type: 'function_call', ...common, arguments: toArguments(text, status), status };
}

/** Functions without parameters are often called with an empty text, which is not JSON. */
function toArguments(text: string, status: unknown): string {
  return text || (status === 'completed' ? '{}' : '');
}

/**
 * Encrypted reasoning names its upstream. Servers that know only functions give the calls of all tools back as those of
 * functions, at which agents abort: they get the form of their tools.
 */
export function createToClientItem(
  request: ResponsesRequest,
  reasoning: ReasoningMark,
): ToClientItem {
  const identify = createIdentify(request);
  return (item) => {
    const marked = withMark(toJsonObject(item), reasoning);
    return marked.type === 'function_call' ? toOwnCall(marked, identify) : marked;
  };
}

/** Messages between agents are encrypted, too. */
function withMark(item: JsonObject, reasoning: ReasoningMark): JsonObject {
  const mark = (value: JsonObject) => markField(value, 'encrypted_content', reasoning);
  const { content } = item;
  if (item.type !== 'agent_message' || !Array.isArray(content)) return mark(item);
  return { ...item, content: content.map((part) => mark(toJsonObject(part))) };
}

function toOwnCall(call: JsonObject, identify: Identify): JsonObject {
  const { arguments: written, name, namespace, ...rest } = call;
  const identity = identify(toChatName(toText(name), namespace));
  const isFunction = !identity.isCustom && identity.clientTool === null;
  if (isFunction && (identity.namespace ?? null) === (namespace ?? null)) return call;
  const text = toText(toArgumentsText(written));
  const { id, call_id: callId = id, status } = rest;
  const item = { id, callId, status: status ?? 'completed', parsed: parseArguments(text), text };
  return { ...rest, ...toCallItem(identity, item) };
}
