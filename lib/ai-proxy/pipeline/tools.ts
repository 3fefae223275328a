import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import type { Path } from '../protocols/json/check.ts';

/** What is known of a kind of tools. */
type ToolKind = Readonly<{
  /** It costs only its tokens, unless it has a container of the upstream. */
  isFree: boolean;
  /** Its settings may name models; else they are the client's own. */
  reachesModels: boolean;
  /** The field that bounds its calls in Messages. Others are not known to be observed. */
  callsMaxField?: 'max_uses';
  /** Responses and Messages show each call as an item or block. */
  isShown?: true;
}>;

/** A tool of a request, hosted or not. */
export type FoundTool = Readonly<{ tool: JsonObject; path: Path; type: string; isKnown: boolean }> &
  ToolKind;

const ofClient: ToolKind = { isFree: true, reachesModels: false };
const free: ToolKind = { isFree: true, reachesModels: true };
const charged: ToolKind = { isFree: false, reachesModels: true };
const shown: ToolKind = { ...charged, isShown: true };
const bounded: ToolKind = { ...shown, callsMaxField: 'max_uses' };

/** The kinds of tools of all protocols, without the date that some of them end with. */
const toolKinds: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries({
    function: ofClient,
    custom: ofClient,
    namespace: ofClient,
    apply_patch: free,
    bash: free,
    computer: free,
    computer_use_preview: free,
    local_shell: free,
    memory: free,
    shell: free,
    text_editor: free,
    tool_search: free,
    tool_search_tool_bm25: free,
    tool_search_tool_regex: free,
    advisor: shown,
    code_execution: shown,
    code_interpreter: shown,
    file_search: shown,
    image_generation: shown,
    mcp: shown,
    mcp_toolset: shown,
    web_fetch: bounded,
    web_search: bounded,
    web_search_preview: bounded,
    'openrouter:advisor': charged,
    'openrouter:apply_patch': free,
    'openrouter:datetime': free,
    'openrouter:fusion': charged,
    'openrouter:image_generation': charged,
    'openrouter:shell': charged,
    'openrouter:subagent': charged,
    'openrouter:web_fetch': charged,
    'openrouter:web_search': charged,
  }),
);

/** Items of a conversation that bring tools with them. */
const toolItems: ReadonlySet<unknown> = new Set([
  'additional_tools',
  'tool_search_output',
  'configuration_update',
]);

/** The tools of a request, also those in namespaces and in items of the conversation. */
export function listTools({ tools, input }: JsonObject): FoundTool[] {
  const found = toFoundTools(tools, ['tools']);
  const items = toJsonArray(input);
  // There may be two million, the tokens of embeddings.
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (!isJsonObject(item) || !toolItems.has(item.type)) continue;
    const { tools: added, model } = item;
    found.push(...toFoundTools(added, ['input', index, 'tools']));
    // A setting that changes in mid-conversation.
    if (model !== undefined) found.push(toFoundTool({ type: 'advisor', model }, ['input', index]));
  }
  return found;
}

/** `web_search_20250305` and `web_search_preview_2025_03_11` are web searches. */
export function toToolType(named: string): string {
  return named.replace(/_(?:\d{8}|\d{4}_\d{2}_\d{2})$/, '');
}

function toFoundTools(tools: unknown, path: Path): FoundTool[] {
  return toJsonArray(tools).flatMap((value, index) => {
    const tool = toJsonObject(value);
    const at = [...path, index];
    return [toFoundTool(tool, at), ...toFoundTools(tool.tools, [...at, 'tools'])];
  });
}

function toFoundTool(tool: JsonObject, path: Path): FoundTool {
  const named = toText(tool.type ?? 'function');
  const type = toToolType(named);
  const kind = toolKinds.get(type) ?? charged;
  const isHosted = isJsonObject(tool.environment) && tool.environment.type !== 'local';
  return {
    ...kind,
    isFree: kind.isFree && !isHosted,
    // A function has no date.
    reachesModels: kind.reachesModels || named !== type,
    isKnown: toolKinds.has(type),
    tool,
    path,
    type,
  };
}
