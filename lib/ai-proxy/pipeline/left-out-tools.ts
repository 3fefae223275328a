import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import type { Path } from '../protocols/json/check.ts';
import { type Extra, toExtraName, toUnpriced } from './extras.ts';
import { listTools } from './tools.ts';

/**
 * A request without hosted tools, which the model may simply not use. @throws HttpError 400 `unsupported_parameter` for one
 * that `tool_choice` demands
 */
export function leaveOutTools(body: JsonObject, leftOut: readonly Extra[]): JsonObject {
  const paths = leftOut.map(({ path }) => path);
  const rest = toJsonObject(without(body, paths));
  const hasTools = listTools(rest).length > 0;
  const choice = toChoice(body, leftOut, hasTools);
  if (hasTools) return choice === body.tool_choice ? rest : { ...rest, tool_choice: choice };
  // Upstreams reject an empty list of tools, and the other two fields without one.
  const { tools: _, tool_choice: __, parallel_tool_calls: ___, ...others } = rest;
  return others;
}

/** The choice among the tools that are left. */
function toChoice(body: JsonObject, leftOut: readonly Extra[], hasTools: boolean): unknown {
  const { tool_choice: choice } = body;
  const demanded = (tool: unknown) => leftOut.find((extra) => isNamed(body, extra, tool));
  const type = toText(choice) || toText(toJsonObject(choice).type);
  if (type === 'allowed_tools') {
    const { tools, mode, ...others } = toJsonObject(choice);
    const left = toJsonArray(tools).filter((tool) => demanded(tool) === undefined);
    const [first] = toJsonArray(tools).flatMap((tool) => demanded(tool) ?? []);
    if (first === undefined || left.length > 0) return { ...others, mode, tools: left };
    if (mode === 'required') throw toUnpriced(first);
    return 'none';
  }
  const isAny = type === 'any' || type === 'required';
  const first = isAny && !hasTools ? leftOut[0] : demanded(choice);
  if (first !== undefined) throw toUnpriced(first);
  return choice;
}

/** Whether a choice names this tool: by its type, or in Messages by its name. */
function isNamed(body: JsonObject, { name, path }: Extra, choice: unknown): boolean {
  const chosen = toJsonObject(choice);
  if (chosen.type !== 'tool') return toExtraName(toText(chosen.type)) === name;
  const tool = path.reduce<unknown>((value, at) => Reflect.get(Object(value), at), body);
  return chosen.name === toJsonObject(tool).name;
}

/** Without the values at these paths, and what is empty then. */
function without(value: unknown, paths: readonly Path[]): unknown {
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value;
  const toInner = (at: string | number) =>
    paths.filter(([first]) => first === at).map(([, ...rest]) => rest);
  const toChanged = (inner: unknown, at: string | number): readonly unknown[] => {
    const within = toInner(at);
    if (within.some((path) => path.length === 0)) return [];
    const changed = without(inner, within);
    return changed !== inner && isEmptied(changed) ? [] : [changed];
  };
  if (Array.isArray(value)) return value.flatMap(toChanged);
  const changed: Record<string, unknown> = { ...value };
  for (const at of new Set(paths.map(([first]) => String(first)))) {
    const [inner] = toChanged(changed[at], at);
    if (inner === undefined) delete changed[at];
    else changed[at] = inner;
  }
  return changed;
}

/** A tool without fields, or a namespace or an item without tools. */
function isEmptied(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { tools } = value;
  return Object.keys(value).length === 0 || (Array.isArray(tools) && tools.length === 0);
}
