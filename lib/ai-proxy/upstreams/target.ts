import type { ExtraPrices, Prices } from '#lib/spend/prices.ts';
import type { Protocols } from './protocols.ts';
import type { Upstream } from './upstream.ts';

/** An upstream that serves a model. */
export type Target = Readonly<{
  /** The upstream's name. */
  name: string;
  upstream: Pick<Upstream, 'call'>;
  /** The model's id there. */
  model: string;
  /** The name of its circuit breaker. */
  circuit: string;
  /** By the upstream or the operator. Clients can make up any other name, so its failures count for nobody else. */
  isListed: boolean;
  protocols: Protocols;
  /** The longest wait for the first part of a reply if there is another target to try, ms. */
  firstByteMs: number;
  /** As the operator has set them, else as this upstream lists them; null: unknown. */
  prices: Prices | null;
  /** Prompt and reply together; null: unknown. */
  contextTokens: number | null;
  /** The longest reply; null: unknown. */
  replyTokensMax: number | null;
  extras: ExtraPrices;
  /** The highest cost of a reply that is believed where no price is known. */
  maxCostUsd: number;
}>;

/** The targets of a model, in the order in which they are tried. */
export type SelectTargets = (model: string) => readonly Target[];
