import type { Log } from '#lib/http/log.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { Generation } from './generation.ts';
import type { Ledger } from './ledger.ts';

/** A request that has passed every check, on its way to the upstream. */
export type Asked = Readonly<{
  request: Request;
  generation: Generation;
  upstream: Pick<Upstream, 'call' | 'readText'>;
  ledger: Ledger;
  /** Of the answer, names and values in turn: where the key stands. */
  headers: readonly string[];
  /** How long a stream may be silent before a comment is sent, ms. */
  heartbeatMs: number;
  log: Log;
}>;
