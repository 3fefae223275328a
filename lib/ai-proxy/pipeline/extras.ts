import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import type { ExtraPrices, PricedCalls } from '#lib/spend/charge.ts';
import { type Path, toParam, unsupportedField } from '../protocols/json/check.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { readBetas } from '../quirks/messages-api.ts';
import type { ClientHeaders } from '../upstreams/connection.ts';
import { type FoundTool, listTools, toToolType } from './tools.ts';

/** Something that costs beyond tokens. */
export type Extra = Readonly<{
  /** As in the `extras` of AI_UPSTREAMS_FILE: `web_search`, `priority`. */
  name: string;
  path: Path;
  /** How often it may be used in this request, where it is charged by call; null: nothing bounds that. */
  calls: number | null;
  isTool: boolean;
  /** A reply shows each of its calls. */
  isShown: boolean;
}>;

type ExtrasOptions = Readonly<{
  headers: ClientHeaders;
  protocol: Protocol;
  /** Of the request: see `listTools`. */
  tools: readonly FoundTool[];
  /** Every model that the request names. */
  models: readonly string[];
}>;

/** The fields of free tools; any other one may switch on a tool that runs at the upstream (`google_search`). */
const toolFields: ReadonlySet<string> = new Set(
  `type name description parameters strict function custom format tools cache_control input_schema defer_loading
  allowed_callers input_examples eager_input_streaming environment execution max_characters display_width
  display_height display_width_px display_height_px display_number enable_zoom`.split(/\s+/),
);

/** Service tiers at the listed price, or below it. `auto` is what the operator's account has as its default. */
const plainTiers: ReadonlySet<unknown> = new Set([
  'auto',
  'default',
  'flex',
  'standard',
  'standard_only',
]);
/** Searches of the web that are no tools, by vendor: OpenAI, xAI, Qwen. */
const searchFields = ['web_search_options', 'search_parameters', 'enable_search'] as const;
/** The bound of tool calls that a target gets in Responses where the client names none. */
const toolCallsDefault = 10;

/** What a request costs beyond tokens. */
export function findExtras(
  body: JsonObject,
  { headers, protocol, tools, models }: ExtrasOptions,
): readonly Extra[] {
  const extras: Extra[] = [];
  const add = (name: string, path: Path) =>
    extras.push({ name, path, calls: 1, isTool: false, isShown: false });
  if (models.some((model) => model.toLowerCase().includes(':online'))) add('online', ['model']);
  for (const [index, plugin] of toJsonArray(body.plugins).entries()) {
    add(toText(toJsonObject(plugin).id), ['plugins', index]);
  }
  for (const field of searchFields) if (body[field] ?? false) add('web_search', [field]);
  for (const field of ['service_tier', 'speed', 'inference_geo'] as const) {
    const value = toText(body[field]);
    if (value !== '' && !plainTiers.has(value))
      add(field === 'inference_geo' ? field : value, [field]);
  }
  const betas = [...readBetas(headers), ...toJsonArray(body.betas)];
  if (betas.some((beta) => toText(beta).trim().startsWith('context-1m-'))) {
    add('context-1m', ['anthropic-beta']);
  }
  return [...extras, ...tools.flatMap((tool) => toExtras(tool, body, protocol))];
}

function toExtras(found: FoundTool, body: JsonObject, protocol: Protocol): readonly Extra[] {
  const { tool, path, type, isFree, isShown = false, callsMaxField } = found;
  if (isFree) return findUnknownFields(tool, path);
  const ofMessages = protocol === 'messages' && callsMaxField ? tool[callsMaxField] : null;
  const calls =
    protocol === 'responses'
      ? (toCount(body.max_tool_calls) ?? toolCallsDefault)
      : toCount(ofMessages);
  return [
    { name: toExtraName(type), path, calls, isTool: true, isShown: isShown && protocol !== 'chat' },
  ];
}

/** @param type of a tool, or of the choice of one */
function toExtraName(type: string): string {
  return toToolType(type).replace('_preview', '');
}

/** Hosted tools do not reach a target that gets the request translated. */
export function withoutTools(extras: readonly Extra[]): readonly Extra[] {
  return extras.filter(({ isTool }) => !isTool);
}

function findUnknownFields(tool: JsonObject, path: Path): Extra[] {
  const { function: definition, custom } = tool;
  return [
    ...toUnknownFields(tool, path),
    ...toUnknownFields(toJsonObject(definition), [...path, 'function']),
    ...toUnknownFields(toJsonObject(custom), [...path, 'custom']),
  ];
}

function toUnknownFields(fields: JsonObject, path: Path): Extra[] {
  return Object.entries(fields)
    .filter(([name, value]) => !toolFields.has(name) && (value ?? false) !== false)
    .map(([name]) => ({
      name,
      path: [...path, name],
      calls: null,
      isTool: true,
      isShown: false,
    }));
}

function toCount(value: unknown): number | null {
  return Number.isSafeInteger(value) && Number(value) >= 1 ? Number(value) : null;
}

type PricedExtras = Readonly<{
  calls: readonly PricedCalls[];
  factor: number;
  /** The bound of tool calls that this pays for; null: none. */
  toolCallsMax: number | null;
  /** Some have no price. */
  hasUnpriced: boolean;
}>;

const noExtras: PricedExtras = { calls: [], factor: 1, toolCallsMax: null, hasUnpriced: false };

/** What extras cost, as far as they have a price. */
export function priceExtras(extras: readonly Extra[], prices: ExtraPrices): PricedExtras {
  if (extras.length === 0) return noExtras;
  const calls = new Map<string, PricedCalls>();
  let factor = 1;
  let toolCallsMax: number | null = null;
  for (const { name, path, calls: callsMax, isTool, isShown } of extras) {
    const { perCall = 0, factor: ownFactor = 1 } = findPrice(name, prices) ?? {};
    // Which tier has served, and how fast, the reply says. Nothing else that a client names lowers the price.
    if (path[0] !== 'service_tier' && path[0] !== 'speed') factor *= Math.max(1, ownFactor);
    if (perCall === 0) continue;
    const before = calls.get(name)?.callsMax ?? 0;
    calls.set(name, { name, perCall, isShown, callsMax: callsMax && before + callsMax });
    if (isTool) toolCallsMax = callsMax;
  }
  const hasUnpriced = extras.some(({ name }) => findPrice(name, prices) === undefined);
  return { calls: [...calls.values()], factor, toolCallsMax, hasUnpriced };
}

/** The tools of a request that have no price at one of the targets that would get them. */
export function findUnpricedTools(
  extras: readonly Extra[],
  prices: readonly ExtraPrices[],
): readonly Extra[] {
  const isTool = ({ path }: Extra) => path.includes('tools');
  return extras.filter(
    (extra) => isTool(extra) && prices.some((each) => findPrice(extra.name, each) === undefined),
  );
}

function findPrice(name: string, prices: ExtraPrices): ExtraPrices[string] | undefined {
  return Object.hasOwn(prices, name) ? prices[name] : undefined;
}

/** @throws HttpError 400 `unsupported_parameter` for an extra without a price, or without a bound of its calls */
export function requireExtraPrices(extras: readonly Extra[], prices: ExtraPrices): void {
  for (const { name, path, calls } of extras) {
    const price = findPrice(name, prices);
    if (price === undefined) throw toUnpriced({ name, path });
    if (calls === null && price.perCall) throw toUnbounded(path);
  }
}

function toUnpriced({ name, path }: Pick<Extra, 'name' | 'path'>) {
  return unsupportedField(
    path,
    `\`${toParam(path)}\` costs more than tokens, and has no price here, so it cannot be used with a budget in dollars. Leave it out, or ask the operator to set the price of ${JSON.stringify(name.slice(0, 100))} under \`extras\` in AI_UPSTREAMS_FILE.`,
  );
}

function toUnbounded(path: Path) {
  return unsupportedField(
    path,
    `\`${toParam(path)}\` is charged by call, and nothing bounds its calls, so it cannot be used with a budget in dollars. Leave it out, or set \`max_uses\` where the tool has it.`,
  );
}

/**
 * A request without hosted tools, which the model may simply not use. @throws HttpError 400 `unsupported_parameter` for one
 * that `tool_choice` demands
 */
export function leaveOutTools(body: JsonObject, leftOut: readonly Extra[]): JsonObject {
  const paths = leftOut.map(({ path }) => path);
  const rest = toJsonObject(without(body, paths));
  const hasTools = listTools(rest).length > 0;
  const choice = toLeftChoice(body, leftOut, hasTools);
  if (hasTools) return choice === body.tool_choice ? rest : { ...rest, tool_choice: choice };
  // Upstreams reject an empty list of tools, and the other two fields without one.
  const { tools: _, tool_choice: __, parallel_tool_calls: ___, ...others } = rest;
  return others;
}

/** The choice among the tools that are left. @throws HttpError 400 */
function toLeftChoice(body: JsonObject, leftOut: readonly Extra[], hasTools: boolean): unknown {
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
