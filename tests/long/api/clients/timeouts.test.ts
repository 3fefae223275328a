import { describe, expect, test } from 'vitest';
import { collect } from '../../../support/clients/collect.ts';
import { openAiLibraries } from '../../../support/clients/libraries/libraries.ts';
import { forTests } from '../../../support/for-tests.ts';
import { startInProcessProxy, upstreamKinds } from '../../../support/servers/in-process-proxy.ts';
import { expectNoUpstreamSecrets } from '../../../support/upstreams/upstream-secrets.ts';

describe.each(upstreamKinds)('time-outs, %s upstream', (upstream) => {
  const environment = { PROXY_TIMEOUT_SECONDS: '1' };
  const server = forTests(() => startInProcessProxy({ upstream, environment }));

  // Each has its own model, so that no circuit breaker opens.
  test.concurrent.each(openAiLibraries.map((library, number) => ({ ...library, number })))(
    '$client reports an upstream that does not respond, and one that stops in a stream',
    async ({ reply, stream, number }) => {
      const [silent, stopped] = await Promise.allSettled([
        reply(server, `fault/hang:${number}`),
        collect(stream(server, `fault/hang-mid-stream:${number}`)),
      ]);
      expect(silent).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringMatching(/did not respond in time/) },
      });
      expect(silent).toSatisfy(
        ({ reason }) => reason.status === 504 || reason.statusCode === 504,
        'a 504',
      );
      expect(stopped.status).toBe('rejected');
      expectNoUpstreamSecrets([silent, stopped]);
    },
  );
});
