import { inspect } from 'node:util';
import { faultCanary } from '../fault-canary.ts';
import { upstreamKey } from '../servers/in-process-proxy.ts';

/** Fails the test if an error contains a secret of the upstream, at any depth. */
export function expectNoUpstreamSecrets(error: unknown): void {
  const shown = inspect(error, { depth: 20, showHidden: true });
  for (const secret of [faultCanary, upstreamKey]) {
    if (shown.includes(secret))
      throw new Error(`The error contains a secret of the upstream: ${shown}`);
  }
}
