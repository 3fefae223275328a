import { inspect } from 'node:util';
import { faultCanary } from '#lib/demo/airtable/faults.ts';
import { upstreamKey } from './proxy-server.ts';

/** Fails where an error that a client throws shows anything of the upstream, however deep. */
export function expectNoUpstreamSecrets(error: unknown): void {
  const shown = inspect(error, { depth: 20, showHidden: true });
  for (const secret of [faultCanary, upstreamKey]) {
    if (shown.includes(secret)) throw new Error(`It shows what belongs to the upstream: ${shown}`);
  }
}
