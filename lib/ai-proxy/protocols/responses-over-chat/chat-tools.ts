import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
  withoutNulls,
} from '#lib/http/json-value.ts';
import { unsupportedField } from '../json/check.ts';
import type { ResponsesRequest } from '../responses/read-request.ts';

/** A tool of a Responses request as chat knows it: a function with a name of its own. */
type ChatTool = Readonly<{
  /** In chat. */
  sentName: string;
  name: string;
  namespace: string | null;
  /** Called with any text instead of JSON. */
  isCustom: boolean;
  tool: JsonObject;
}>;

/** How a call of the model is shown to the client. */
type CallIdentity = Readonly<{ name: string; namespace: string | null; isCustom: boolean }>;

/** The tools of a request, and the names that they have on both sides. */
export type ChatTools = Readonly<{
  /** `tools`, `tool_choice` and `parallel_tool_calls` of the chat request. */
  fields: JsonObject;
  toSentName: (name: string, namespace: unknown) => string;
  /** What a name in a reply stands for. */
  identify: (sentName: string) => CallIdentity;
}>;

/**
 * Translates tools: those in a namespace get a common name, custom ones become functions with one text. Tools
 * that run at an upstream are left out. @throws HttpError 400 if `tool_choice` demands one that is left out.
 */
export function toChatTools({ options, input }: ResponsesRequest): ChatTools {
  const added = input.flatMap((item) =>
    item.kind === 'hosted' && toolItemTypes.has(item.type) ? toJsonArray(item.sent.tools) : [],
  );
  const tools = collectTools([...(options.tools ?? []), ...added]);
  const find = (name: string, namespace: unknown) =>
    tools.find((tool) => tool.name === name && tool.namespace === (namespace ?? null));
  const toSentName = (name: string, namespace: unknown) =>
    find(name, namespace)?.sentName ??
    (typeof namespace === 'string' ? joinNames(namespace, name) : name);
  return {
    fields: toFields(tools, options, toSentName),
    toSentName,
    identify(sentName) {
      const tool = tools.find((one) => one.sentName === sentName);
      const { name = sentName, namespace = null, isCustom = false } = tool ?? {};
      return { name, namespace, isCustom };
    },
  };
}

/** Items that bring tools into a conversation. */
const toolItemTypes: ReadonlySet<string> = new Set(['additional_tools', 'tool_search_output']);

function collectTools(listed: readonly unknown[]): readonly ChatTool[] {
  const tools = new Map<string, ChatTool>();
  const add = (tool: JsonObject, namespace: string | null) => {
    const read = toChatTool(tool, namespace);
    if (read !== null) tools.set(read.sentName, read);
  };
  for (const tool of listed.filter(isJsonObject)) {
    const { type, name } = tool;
    if (type !== 'namespace') add(tool, null);
    else for (const inner of toJsonArray(tool.tools)) add(toJsonObject(inner), toText(name));
  }
  return [...tools.values()];
}

function toChatTool(tool: JsonObject, namespace: string | null): ChatTool | null {
  const { type, description, parameters, strict, cache_control } = tool;
  const name = toText(tool.name);
  if ((type !== 'function' && type !== 'custom') || name === '') return null;
  const isCustom = type === 'custom';
  const sentName = namespace === null ? name : joinNames(namespace, name);
  const described = isCustom
    ? { name: sentName, description: describeCustom(tool), parameters: customParameters }
    : { name: sentName, description, parameters, strict };
  return {
    sentName,
    name,
    namespace,
    isCustom,
    tool: withoutNulls({ type: 'function', function: withoutNulls(described), cache_control }),
  };
}

/** The longest name of a function. */
const nameLengthMax = 64;

function joinNames(namespace: string, name: string): string {
  const joined = `${namespace}__${name}`.replace(/[^\w-]/g, '_');
  return joined.length > nameLengthMax ? joined.slice(-nameLengthMax) : joined;
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

/** The text of a custom call. Some models send it without the JSON around it. */
export function readCustomInput(parsed: JsonObject | null, text: string): string {
  const input = parsed?.[customField];
  return typeof input === 'string' ? input : text;
}

/** Upstreams reject an empty list of tools, and the other two fields without one. */
function toFields(
  tools: readonly ChatTool[],
  options: ResponsesRequest['options'],
  toSentName: ChatTools['toSentName'],
): JsonObject {
  const { choice, allowed } = toToolChoice(options.tool_choice, toSentName);
  const offered = tools.filter(({ sentName }) => allowed === null || allowed.has(sentName));
  const named = isJsonObject(choice) ? toJsonObject(choice.function).name : null;
  if (named !== null && !offered.some(({ sentName }) => sentName === named)) throw undemandable();
  if (offered.length === 0) {
    if (choice === 'required') throw undemandable();
    return {};
  }
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
  if ((type === 'function' || type === 'custom') && name !== undefined) {
    const choice = { type: 'function', function: { name: toSentName(name, namespace) } };
    return { choice, allowed: null };
  }
  if (type !== 'allowed_tools') throw undemandable();
  // Few chat servers support this choice; offering only these tools has the same effect.
  const names = toJsonArray(requested.tools)
    .map(toJsonObject)
    .map((tool) => toSentName(toText(tool.name), tool.namespace));
  return { choice: requested.mode ?? 'auto', allowed: new Set(names) };
}

function undemandable() {
  return unsupportedField(
    ['tool_choice'],
    'The model’s server takes only functions and custom tools, so nothing else can be demanded: use `none`, `auto`, `required` or {"type": "function", "name": "…"} with one of your `tools`.',
  );
}
