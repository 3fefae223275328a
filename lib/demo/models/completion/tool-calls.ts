import { toSeed } from '../../seeded-random.ts';
import type { Conversation, Tool } from './conversation.ts';
import type { ScriptedCall } from './script.ts';
import { makeValue } from './value-from-schema.ts';

export type ToolCall = Readonly<{
  id: string;
  name: string;
  /** JSON that matches the tool's schema; the text of a custom tool. */
  arguments: string;
  isCustom?: boolean;
  namespace?: string;
}>;

/** Words that do not identify a tool. */
const stopWords = new Set(['get', 'set', 'the', 'and', 'for', 'find', 'tool', 'call', 'with']);
const callsMax = 4;

/**
 * The tool calls that a model would make: of the tool that `tool_choice` names, or of those
 * mentioned in the prompt. A tool is called once for each name in the prompt (“Lisbon and Oslo”),
 * unless parallel calls are off. There are none after tool outputs.
 */
export function makeToolCalls(conversation: Conversation): readonly ToolCall[] {
  const { prompt, toolResults, isParallel, script } = conversation;
  if (script !== null) return script.flatMap((call) => toScriptedCall(call, conversation));
  if (toolResults.length > 0) return [];
  const names = toNames(prompt);
  const calls = chooseTools(conversation).flatMap((tool) =>
    Array.from({ length: Math.min(Math.max(names.length, 1), callsMax) }, (_, turn) =>
      makeCall(tool, { words: names, turn }),
    ),
  );
  const distinct = [...new Map(calls.map((call) => [call.name + call.arguments, call])).values()];
  return distinct.slice(0, isParallel ? callsMax : 1);
}

/** Nothing for a tool that was not offered. */
function toScriptedCall(
  { name, arguments: given }: ScriptedCall,
  { tools, toolResults }: Conversation,
): readonly ToolCall[] {
  // Where there are no namespaces, a name may begin with one.
  const tool = tools.find((tool) => tool.name === name || tool.name.endsWith(`__${name}`));
  if (tool === undefined) return [];
  const { isCustom = false, namespace } = tool;
  const written = typeof given === 'string' ? toText(given, isCustom) : JSON.stringify(given);
  const id = toSeed(`${name}${written}${toolResults.length}`).toString(36);
  const call = { id: `call_demo${id}`, name: tool.name, arguments: written, isCustom };
  return [namespace === undefined ? call : { ...call, namespace }];
}

/** Of a tool that takes a text; a function takes it as its only argument. */
function toText(text: string, isCustom: boolean): string {
  return isCustom ? text : JSON.stringify({ input: text });
}

function chooseTools({ tools, toolChoice, prompt }: Conversation): readonly Tool[] {
  if (toolChoice === 'none') return [];
  if (typeof toolChoice === 'object') return tools.filter(({ name }) => name === toolChoice.name);
  const promptWords = new Set(toWords(prompt));
  const mentioned = tools.filter(({ name }) => toWords(name).some((word) => promptWords.has(word)));
  return mentioned.length === 0 && toolChoice === 'required' ? tools.slice(0, 1) : mentioned;
}

function makeCall(
  { name, parameters }: Tool,
  sources: { words: readonly string[]; turn: number },
): ToolCall {
  const made = parameters === undefined ? {} : makeValue(parameters, sources);
  const written = JSON.stringify(made);
  const id = toSeed(`${name}${written}${sources.turn}`).toString(36);
  return { id: `call_demo${id}`, name, arguments: written };
}

function toWords(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && !stopWords.has(word));
}

/** Capitalized words inside a sentence: mostly names of places and people. */
export function toNames(text: string): readonly string[] {
  const found = text.matchAll(/(?<=[\p{L}\p{N},;:] )\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*/gu);
  return [...new Set([...found].map(([name]) => name))].slice(0, callsMax);
}
