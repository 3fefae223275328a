import { describe, expect, inject, test } from 'vitest';
import {
  model,
  oneImageNoticed,
  promptQuoted,
  secondTurnQuoted,
  trip,
  weatherAnswer,
  weatherCities,
} from '../../../support/clients/client-fixtures.ts';
import { collect } from '../../../support/clients/collect.ts';
import { libraries } from '../../../support/clients/libraries/libraries.ts';
import { upstreamKinds } from '../../../support/servers/in-process-proxy.ts';

/** What every client library can do through the proxy, passed on and translated. */

const ways = [
  ['at once', false],
  ['streamed', true],
] as const;

describe.each(upstreamKinds)('%s upstream', (upstream) => {
  const server = inject('servers')[upstream];

  describe.each(libraries)('$client', (library) => {
    const { reply, stream, runTools, planTrip, converse, look } = library;

    test('a reply has a text and usage, and a stream the same text', async () => {
      const { text, isCut, tokensIn, tokensOut } = await reply(server, model);
      expect(text).toContain(promptQuoted);
      expect([true, tokensIn > 0, tokensOut > 10]).toEqual([isCut !== true, true, true]);
      const pieces = await collect(stream(server, model));
      expect(pieces.length).toBeGreaterThan(3);
      expect(pieces.join('')).toBe(text);
    });

    // An agent by Responses reports the run as failed.
    if (library.client !== 'OpenAI’s agents by responses') {
      test('a reply ends at its maximum length, and says so', async () => {
        const { isCut, tokensOut } = await reply(server, model, 16);
        expect(isCut).not.toBe(false);
        expect(tokensOut).toBe(16);
      });
    }

    test.each(ways)('parallel tool calls lead to a reply, %s', async (_, isStream) => {
      expect(await runTools(server, isStream)).toEqual({
        cities: weatherCities,
        text: weatherAnswer,
      });
    });

    test.each(ways)('structured output is parsed, %s', async (_, isStream) => {
      expect(await planTrip(server, isStream)).toEqual(trip);
    });

    test.each(ways)(
      'a conversation continues from the client’s history, %s',
      async (_, isStream) => {
        expect(await converse(server, isStream)).toContain(secondTurnQuoted);
      },
    );

    test('an image reaches the model', async () => {
      expect(await look(server)).toContain(oneImageNoticed);
    });
  });
});
