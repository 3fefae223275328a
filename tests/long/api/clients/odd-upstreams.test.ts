import { beforeAll, describe, expect, test } from 'vitest';
import { model, promptQuoted } from '../../../support/clients/client-fixtures.ts';
import { collect } from '../../../support/clients/collect.ts';
import { openAiLibraries } from '../../../support/clients/libraries/libraries.ts';
import { forTests } from '../../../support/for-tests.ts';
import { startInProcessProxy, upstreamKinds } from '../../../support/servers/in-process-proxy.ts';

/** Unusual replies of upstreams that are nevertheless complete. */
const oddities =
  'no-usage no-done error-null unknown-events after-done byte-by-byte one-write crlf cr comments'.split(
    ' ',
  );

describe.each(upstreamKinds)('unusual replies, %s', (upstream) => {
  const server = forTests(() => startInProcessProxy({ upstream }));

  describe.each(openAiLibraries)('$client', ({ client, api, reply, stream }) => {
    // In chat the role may be missing; an item of Responses without a role is no message.
    const faults = api === 'chat' || upstream === 'chat' ? [...oddities, 'no-role'] : oddities;
    let expected: string;
    beforeAll(async () => {
      expected = (await reply(server, model)).text;
      expect(expected).toContain(promptQuoted);
    });

    test.each(faults)('the reply of fault/%s is complete, streamed or not', async (name) => {
      expect((await reply(server, `fault/${name}`)).text).toBe(expected);
      expect((await collect(stream(server, `fault/${name}`))).join('')).toBe(expected);
    });

    // Agents repeat the request after an empty response, up to their maximum of turns.
    if (!client.includes('agents')) {
      test('an empty response is an empty text', async () => {
        expect((await reply(server, 'fault/empty-reply')).text).toBe('');
        expect((await collect(stream(server, 'fault/empty-reply'))).join('')).toBe('');
      });
    }

    test('the first words arrive while the upstream still streams', async () => {
      let openAtFirstWord = 0;
      for await (const piece of stream(server, 'fault/pace:20')) {
        if (piece === '') continue;
        openAtFirstWord = server.modelServer.stats().openRequests;
        break;
      }
      expect(openAtFirstWord).toBe(1);
      // A client ends the request with the loop, or reads it to its end.
      await expect.poll(() => server.modelServer.stats().openRequests).toBe(0);
    });
  });
});
