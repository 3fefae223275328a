import { toJsonObject, toText } from '#lib/http/json-value.ts';
import type { ToolCalls } from '#lib/spend/usage/token-usage.ts';

/** Names in blocks of Messages, where those of the tools are others. */
const toolsOfBlocks: ReadonlyMap<string, string> = new Map([
  ['bash_code_execution', 'code_execution'],
  ['text_editor_code_execution', 'code_execution'],
]);

/** Calls that the client answers. */
const clientCalls: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call']);

/**
 * The tool of the upstream whose use an item of Responses or a block of Messages shows, by its name among `extras`.
 * Null: none, or one that costs nothing.
 */
export function readCalledTool(shown: unknown): string | null {
  const item = toJsonObject(shown);
  const [type, name] = [toText(item.type), toText(item.name)];
  if (type === 'server_tool_use') return toolsOfBlocks.get(name) ?? name;
  if (type === 'mcp_tool_use') return 'mcp_toolset';
  if (type.startsWith('openrouter:')) return type;
  if (!type.endsWith('_call') || clientCalls.has(type) || item.status === 'failed') return null;
  // OpenAI charges for searches, not for pages that are opened: https://platform.openai.com/docs/guides/tools-web-search
  const isOther = (toText(toJsonObject(item.action).type) || 'search') !== 'search';
  return type === 'web_search_call' && isOther ? null : type.slice(0, -'_call'.length);
}

/** How often a reply shows each. */
export function countCalledTools(shown: readonly unknown[]): ToolCalls {
  return countNames(shown.map(readCalledTool).filter((name) => name !== null));
}

export function countNames(names: Iterable<string>): ToolCalls {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
