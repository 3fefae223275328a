import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import type { Surcharge } from '#lib/spend/charge.ts';
import type { ExtraPrices } from '#lib/spend/prices.ts';
import { type Path, toParam, unsupportedField } from '../protocols/json/check.ts';
import type { Protocol, Protocols } from '../upstreams/protocols.ts';
import { toToolKind } from './known-fields.ts';

/** Something that costs beyond tokens. */
export type Extra = Readonly<{
  /** As in the `extras` of AI_UPSTREAMS_FILE: `web_search`, `priority`. */
  name: string;
  path: Path;
  /** How often it may be used in this request, where it is charged by call. */
  calls: number;
}>;

/** Tools that run at the client, or cost only their tokens. */
const freeTools: ReadonlySet<string> = new Set(
  `function custom namespace local_shell shell apply_patch tool_search tool_search_tool_bm25
  tool_search_tool_regex computer computer_use_preview bash text_editor memory openrouter:datetime
  openrouter:apply_patch openrouter:shell`.split(/\s+/),
);

/** Service tiers at the listed price, or below it. `auto` is what the operator's account has as its default. */
const plainTiers: ReadonlySet<unknown> = new Set([
  'auto',
  'default',
  'flex',
  'standard',
  'standard_only',
]);
/** How often a tool is used where nothing bounds it. */
const callsDefault = 10;

/**
 * What a request costs beyond tokens. Hosted tools do not reach a target that gets the request translated.
 * @param spoken the protocols of the target
 */
export function findExtras(
  body: JsonObject,
  headers: Pick<Headers, 'get'>,
  protocol: Protocol,
  spoken: Protocols,
): readonly Extra[] {
  const extras: Extra[] = [];
  const add = (name: string, path: Path, calls = 1) => extras.push({ name, path, calls });
  if (toText(body.model).includes(':online')) add('online', ['model']);
  for (const [index, plugin] of toJsonArray(body.plugins).entries()) {
    add(toText(toJsonObject(plugin).id), ['plugins', index]);
  }
  if (toJsonObject(body.web_search_options) === body.web_search_options) {
    add('web_search', ['web_search_options']);
  }
  for (const field of ['service_tier', 'speed', 'inference_geo'] as const) {
    const value = toText(body[field]);
    if (value !== '' && !plainTiers.has(value))
      add(field === 'inference_geo' ? field : value, [field]);
  }
  for (const beta of (headers.get('anthropic-beta') ?? '').split(',')) {
    if (beta.trim().startsWith('context-1m-')) add('context-1m', ['anthropic-beta']);
  }
  if (spoken.has(protocol)) extras.push(...findTools(body));
  return extras;
}

function findTools(body: JsonObject): Extra[] {
  const most = typeof body.max_tool_calls === 'number' ? body.max_tool_calls : callsDefault;
  return toJsonArray(body.tools).flatMap((value, index) => {
    const { type = 'function', max_uses: maxUses } = toJsonObject(value);
    const name = toToolKind(toText(type)).replace('_preview', '');
    if (freeTools.has(name)) return [];
    const calls = typeof maxUses === 'number' ? Math.min(maxUses, most) : most;
    return [{ name, path: ['tools', index], calls }];
  });
}

/** What extras cost. @throws HttpError 400 `unsupported_parameter` for one that the operator has given no price */
export function priceExtras(
  extras: readonly Extra[],
  prices: ExtraPrices,
): Pick<Surcharge, 'fixedUsd' | 'factor'> {
  let fixedUsd = 0;
  let factor = 1;
  for (const { name, path, calls } of extras) {
    const price = Object.hasOwn(prices, name) ? prices[name] : undefined;
    if (price === undefined) throw toUnpriced(name, path);
    fixedUsd += (price.perCall ?? 0) * calls;
    factor *= price.factor ?? 1;
  }
  return { fixedUsd, factor };
}

function toUnpriced(name: string, path: Path) {
  return unsupportedField(
    path,
    `\`${toParam(path)}\` costs more than tokens, and has no price here, so it cannot be used with a budget in dollars. Leave it out, or ask the operator to set the price of ${JSON.stringify(name.slice(0, 100))} under \`extras\` in AI_UPSTREAMS_FILE.`,
  );
}
