import type { ExtraPrices, OperatorPrices } from '#lib/spend/prices.ts';
import type { OptionalField } from '../protocols/chat/optional-fields.ts';

/** An API of an upstream: Chat Completions, Responses, Anthropic’s Messages, or Embeddings. */
export type Protocol = 'chat' | 'responses' | 'messages' | 'embeddings';

/** The protocols that an upstream speaks. */
export type Protocols = ReadonlySet<Protocol>;

/** An upstream as the operator describes it. Without a value, the default applies. */
export type UpstreamSettings = Readonly<{
  name: string;
  /** Base URL with its version, without a trailing slash. */
  url: string;
  key: string;
  protocols: readonly Protocol[];
  /** How often it is tried first, relative to others that list the same model; 0: only after these. */
  weight: number;
  /** The optional fields of chat that it takes; undefined: unknown. */
  accepts?: readonly OptionalField[] | undefined;
  /** What it charges beyond tokens. */
  extras: ExtraPrices;
  /** The highest cost of a reply that is believed where no price is known, it is zero, or extras have none; US dollars. */
  maxCostUsd: number;
  /** Whether it is believed when it reports a cost far below its list, also none. */
  trustsLowCost: boolean;
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
  prices?: OperatorPrices | undefined;
}>;

const maxCostUsdDefault = 10;

export type UpstreamsSettings = Readonly<{
  upstreams: readonly UpstreamSettings[];
  models: readonly ModelSettings[];
}>;

type SingleUpstream = Readonly<{
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
    trustsLowCost: false,
    timeoutSeconds: {},
  };
  return { upstreams: [upstream], models: [] };
}
