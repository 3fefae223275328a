import { type ExtraPrices, type KindPrices, type Prices, toPrices } from '#lib/spend/prices.ts';
import type { Protocol } from './protocols.ts';

/** An upstream as the operator describes it. Without a value, the default applies. */
export type UpstreamSettings = Readonly<{
  name: string;
  /** Base URL with its version, without a trailing slash. */
  url: string;
  key: string;
  protocols: readonly Protocol[];
  /** How often it is tried first, relative to others that list the same model; 0: only after these. */
  weight: number;
  /** What it charges beyond tokens. */
  extras: ExtraPrices;
  /** The highest cost of a reply that is believed where no price is known, US dollars. */
  maxCostUsd: number;
  requestsPerMinute?: number | undefined;
  concurrentRequests?: number | undefined;
  timeoutSeconds: Readonly<{
    [part in 'connect' | 'firstByte' | 'idle' | 'total']?: number | undefined;
  }>;
}>;

/** A model that the operator defines: where it is served, and under which further ids. */
export type ModelSettings = Readonly<{
  id: string;
  /** In order; if they have weights, in an order drawn by weight. */
  targets: readonly Readonly<{
    upstream: string;
    /** The model's id there, if it is another. */
    model?: string | undefined;
    weight?: number | undefined;
  }>[];
  aliases: readonly string[];
  /** US dollars. */
  prices?:
    | Readonly<{
        inputPerMillion: number;
        outputPerMillion: number;
        perRequest: number;
        cacheReadPerMillion?: number | undefined;
        cacheWritePerMillion?: number | undefined;
        cacheWriteHourPerMillion?: number | undefined;
      }>
    | undefined;
}>;

export const maxCostUsdDefault = 10;

export type UpstreamsSettings = Readonly<{
  upstreams: readonly UpstreamSettings[];
  models: readonly ModelSettings[];
}>;

export type SingleUpstream = Readonly<{
  upstreamUrl: string | null;
  upstreamKey: string | null;
  responses: 'native' | 'chat';
  messages: 'native' | 'chat';
}>;

/** The one upstream of the single settings; the name of the missing setting if one is. */
export function toSingleUpstream(
  single: SingleUpstream,
): UpstreamsSettings | 'AI_UPSTREAM_URL' | 'AI_UPSTREAM_KEY' {
  const { upstreamUrl: url, upstreamKey: key, responses, messages } = single;
  if (url === null) return 'AI_UPSTREAM_URL';
  if (key === null) return 'AI_UPSTREAM_KEY';
  const protocols: Protocol[] = ['chat', 'embeddings'];
  if (responses === 'native') protocols.push('responses');
  if (messages === 'native') protocols.push('messages');
  const upstream = {
    name: 'default',
    url,
    key,
    protocols,
    weight: 1,
    extras: {},
    maxCostUsd: maxCostUsdDefault,
    timeoutSeconds: {},
  };
  return { upstreams: [upstream], models: [] };
}

/** The prices that an operator has set, with those that the upstream lists for what the operator leaves out. */
export function toOperatorPrices(
  prices: NonNullable<ModelSettings['prices']>,
  listed: KindPrices,
): Prices {
  const { inputPerMillion, outputPerMillion, perRequest } = prices;
  const { cacheReadPerMillion, cacheWritePerMillion, cacheWriteHourPerMillion } = prices;
  const ofToken = (perMillion: number | undefined) =>
    perMillion === undefined ? undefined : perMillion / 1_000_000;
  return toPrices({
    ...listed,
    input: inputPerMillion / 1_000_000,
    output: outputPerMillion / 1_000_000,
    request: perRequest,
    cacheRead: ofToken(cacheReadPerMillion) ?? listed.cacheRead,
    cacheWrite: ofToken(cacheWritePerMillion) ?? listed.cacheWrite,
    cacheWriteHour: ofToken(cacheWriteHourPerMillion),
  });
}
