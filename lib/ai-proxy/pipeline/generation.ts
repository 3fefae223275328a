import type { TokenUsage } from '../metering/token-usage.ts';
import type { StreamRelay } from '../stream/relay.ts';

/** A request for a reply, read and checked: what goes to the upstream, and how its answer gets back. */
export type Generation = Readonly<{
  /** Every model that may answer, the one that was asked for first. */
  models: readonly string[];
  isStream: boolean;
  promptTokensEstimate: number;
  /** The most tokens that the reply may have; null where the caller set no bound. */
  outputTokensMax: number | null;
  /** At the upstream. */
  path: `/${string}`;
  /** JSON for the upstream. */
  body: string;
  /** The upstream's whole answer as the caller gets it. @throws ProxyError where it is none. */
  toResult: (text: string) => Readonly<{ result: object; usage: TokenUsage }>;
  createRelay: () => StreamRelay;
}>;

/** One style of generation. */
export type Endpoint = Readonly<{
  /** As usage records name it. */
  name: string;
  /** @throws ProxyError 400 whose `param` is the first wrong field. */
  read: (body: Uint8Array) => Generation;
}>;
