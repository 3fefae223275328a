import type { JsonObject } from '#lib/http/json-value.ts';

const tiers: ReadonlySet<unknown> = new Set(['auto', 'default', 'flex', 'scale', 'priority']);

/** A reply without a tier that OpenAI does not name, such as Groq’s `on_demand`: strict SDKs fail on it. */
export function withKnownTier(reply: JsonObject): JsonObject {
  const { service_tier: tier, ...rest } = reply;
  return (tier ?? null) === null || tiers.has(tier) ? reply : rest;
}
