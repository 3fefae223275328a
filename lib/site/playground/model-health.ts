import type { ModelHealth } from '#lib/accounts/account/model-health.ts';
import { parseJson, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';

const noHealth: ModelHealth = { models: {}, outOfOrder: [] };

/** Asks for it; visitors get nothing. */
export async function loadModelHealth(path: string): Promise<ModelHealth> {
  const response = await fetch(path);
  if (response.status !== 200) return noHealth;
  const { models, outOfOrder } = toJsonObject(parseJson(await response.text()));
  return {
    models: toJsonObject(models) as ModelHealth['models'],
    outOfOrder: toJsonArray(outOfOrder).map(String),
  };
}

/** `99.5% worked · first token after 0.4 s · 62 tokens a second`; null if nothing is known. */
export function describeHealth(health: ModelHealth, id: string): string | null {
  if (!Object.hasOwn(health.models, id)) return null;
  const record = health.models[id];
  if (record === undefined) return null;
  const { requests, failed, firstByteMs, tokensPerSecond } = record;
  const facts = [
    `${formatShare((requests - failed) / requests)} worked`,
    firstByteMs === null ? null : `first token after ${(firstByteMs / 1000).toFixed(1)} s`,
    tokensPerSecond === null ? null : `${Math.round(tokensPerSecond)} tokens a second`,
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}

/** Rounded down, so that 100% means all. */
function formatShare(share: number): string {
  return `${Math.floor(share * 1000) / 10}%`;
}
