import type { Protocols } from './protocols.ts';
import type { Upstream } from './upstream.ts';

/** An upstream that serves a model. */
export type Target = Readonly<{
  /** The upstream's name. */
  name: string;
  upstream: Pick<Upstream, 'call' | 'read'>;
  /** The model's id there. */
  model: string;
  protocols: Protocols;
  /** The longest wait for the first part of a reply if there is another target to try, ms. */
  firstByteMs: number;
}>;

/** The targets of a model, in the order in which they are tried. */
export type SelectTargets = (model: string) => readonly Target[];
