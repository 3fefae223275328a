import Anthropic from '@anthropic-ai/sdk';
import { StreamProviderError } from 'ai';
import OpenAI from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  imageUrl,
  loopPrompt,
  prompt,
  trip,
  weatherAnswer,
  weatherCities,
} from '../../../support/clients/client-fixtures.ts';
import { collect } from '../../../support/clients/collect.ts';
import { libraries } from '../../../support/clients/libraries/libraries.ts';
import type { Access } from '../../../support/clients/libraries/library.ts';
import { type MatrixClient, ShapeError } from '../../../support/clients/shapes/shape-client.ts';
import { shapeClients } from '../../../support/clients/shapes/shapes.ts';
import { forTests } from '../../../support/for-tests.ts';
import {
  calls,
  type MatrixUpstream,
  matrixUpstreams,
  replies,
  results,
  startMatrixProxy,
} from '../../../support/servers/matrix-proxy.ts';
import { thinkingSignature } from '../../../support/upstreams/stand-in/messages-form.ts';
import { encryptedContent } from '../../../support/upstreams/stand-in/responses-form.ts';
import { expectNoUpstreamSecrets } from '../../../support/upstreams/upstream-secrets.ts';

/** Every client does every task over every kind of upstream, but for what stands in these two tables. */

const loop = 'two turns of a tool loop';
const thinking = 'a thinking reply';
const output = 'a structured output';
const limits: readonly (readonly [client: string, task: string, why: string])[] = [
  ['openai’s chat', thinking, 'Its types have no reasoning.'],
  ['openai’s chat', loop, 'Reasoning is not sent back.'],
  ['the AI SDK’s openai.chat()', thinking, 'It reads no reasoning in chat.'],
  ['the AI SDK’s openai.chat()', loop, 'Reasoning is not sent back.'],
  ['the AI SDK’s openrouter', loop, 'It sends back what OpenRouter signs.'],
  ['LangChain’s chat', loop, 'Reasoning is not sent back.'],
  ['Continue', loop, 'Reasoning is not sent back.'],
  ['Continue', output, 'It asks for none.'],
  ['Cline', loop, 'Reasoning is not sent back.'],
  ['Cline', output, 'It asks for none.'],
];

/** Upstreams without Chat Completions serve only clients of their own protocol; others are refused with this. */
const refusals = {
  chat: 'does not support Chat Completions: choose another model, or another endpoint.',
  responses: 'does not support Responses: choose another model, or another endpoint.',
  messages: 'does not support Messages: choose another model, or another endpoint.',
} as const;

/** What each throws where a stream fails. */
const errorClasses = {
  OpenAI: OpenAI.APIError,
  LangChain: OpenAI.APIError,
  Anthropic: Anthropic.APIError,
  AI: StreamProviderError,
  Shape: ShapeError,
} as const;

/** What comes back to an upstream, with which it continues its reasoning. */
const returnedReasoning = {
  chat: replies.thinking,
  responses: encryptedContent,
  messages: thinkingSignature,
} as const;

const tripProperties = expect.objectContaining(
  Object.fromEntries(Object.keys(trip).map((name) => [name, expect.anything()])),
);

const clients: readonly MatrixClient[] = [...libraries, ...shapeClients];

const proxy = forTests(startMatrixProxy);
beforeEach(() => {
  proxy.takeRequests();
  proxy.setBreak(undefined);
});

type Cell = Readonly<{
  client: MatrixClient;
  access: Access & Readonly<{ model: string }>;
  /** In which the upstream is called. */
  protocol: 'chat' | 'responses' | 'messages';
  isLimited: boolean;
}>;

const tasks: Readonly<Record<string, (cell: Cell) => Promise<void>>> = {
  async 'a text'({ client, access, protocol }) {
    const pieces = await collect(client.stream(access, access.model));
    expect(pieces.join('')).toBe(replies.text);
    expect(pieces.length).toBeGreaterThan(3);
    expect(proxy.takeRequests()).toMatchObject([
      { protocol, prompt: expect.stringContaining(prompt) },
    ]);
  },

  async 'two tools in parallel'({ client, access, protocol }) {
    const used = await client.runTools(access, true);
    expect(used).toEqual({ cities: weatherCities, text: weatherAnswer });
    const toolNames = expect.arrayContaining(['get_weather']);
    expect(proxy.takeRequests()).toMatchObject([
      { protocol, toolNames, calls: [], results: [] },
      { protocol, toolNames, calls, results },
    ]);
  },

  async [loop]({ client, access, protocol, isLimited }) {
    const used = await client.runTools(access, true, loopPrompt);
    expect(used).toEqual({ cities: weatherCities, text: replies.loop });
    const returned = isLimited ? [] : [returnedReasoning[protocol]];
    expect(proxy.takeRequests()).toMatchObject([
      { protocol, calls: [], results: [] },
      { protocol, calls: calls.slice(0, 1), results: results.slice(0, 1), returned },
      { protocol, calls, results, returned },
    ]);
  },

  async [thinking]({ client, access, protocol, isLimited }) {
    const reply = await client.think(access);
    expect(reply).toEqual({
      thinking: isLimited ? null : replies.thinking,
      text: replies.text,
    });
    expect(proxy.takeRequests()).toMatchObject([{ protocol, asksForThinking: true }]);
  },

  async 'a picture'({ client, access, protocol }) {
    expect(await client.look(access)).toBe(replies.picture);
    expect(proxy.takeRequests()).toMatchObject([{ protocol, pictures: [imageUrl] }]);
  },

  async [output]({ client, access, protocol, isLimited }) {
    expect(client.planTrip === null).toBe(isLimited);
    for (const isStream of client.planTrip === null ? [] : [false, true]) {
      expect(await client.planTrip?.(access, isStream)).toEqual(trip);
      const [request] = proxy.takeRequests();
      expect(request).toMatchObject({ protocol });
      const schema = expect.objectContaining({ properties: tripProperties });
      expect([request?.schema, ...(request?.schemas ?? [])]).toContainEqual(schema);
    }
  },

  async 'an abort'({ client, access }) {
    proxy.setBreak('silence');
    const { aborted } = proxy.standIn.seen;
    const leaving = new AbortController();
    let text = '';
    try {
      for await (const piece of client.stream(access, access.model, leaving.signal)) {
        text += piece;
        if (text !== '') leaving.abort();
      }
    } catch (error) {
      expect(leaving.signal.aborted, String(error)).toBe(true);
    }
    expect(text).not.toBe('');
    await expect.poll(() => proxy.standIn.seen.aborted).toBe(aborted + 1);
  },

  async 'an error in mid-stream'({ client, access }) {
    proxy.setBreak('error');
    const { text, error } = await readBroken(client, access);
    expect(text).toBe(replies.text.slice(0, 6));
    const [vendor = ''] = client.documented.split(' ');
    expect(error).toBeInstanceOf(errorClasses[vendor as keyof typeof errorClasses]);
    expect(error?.message).toMatch(/The service behind this model (?:failed|is overloaded)/);
    expectNoUpstreamSecrets(error);
  },
};

describe.each(['chat only', 'native Responses', 'native Messages'] as const)('%s', (upstream) => {
  describe.each(clients)('$client', (client) => {
    const protocol =
      matrixUpstreams[upstream].find((protocol) => protocol === client.api) ?? 'chat';
    test.each(Object.entries(tasks))('%s', async (name, task) => {
      const isLimited = limits.some(([limited, of]) => limited === client.client && of === name);
      const access = proxy.toAccess(upstream, client.api);
      await task({ client, access, protocol, isLimited });
    });
  });
});

test.each(clients)('$client without Chat Completions behind it', async (client) => {
  const alone = { responses: 'Responses alone', messages: 'Messages alone' } as const;
  for (const [protocol, upstream] of Object.entries(alone)) {
    const access = proxy.toAccess(upstream satisfies MatrixUpstream, client.api);
    const { text, error } = await readBroken(client, access);
    const isOwn = protocol === client.api;
    expect(text).toBe(isOwn ? replies.text : '');
    if (isOwn) expect(error).toBeNull();
    else expect(error?.message).toContain(refusals[client.api]);
    expect(proxy.takeRequests().length).toBe(isOwn ? 1 : 0);
  }
});

/** Reads a stream until it fails. */
async function readBroken({ stream }: MatrixClient, access: Cell['access']) {
  let text = '';
  try {
    for await (const piece of stream(access, access.model)) text += piece;
  } catch (error) {
    return { text, error: error instanceof Error ? error : new Error(`not one: ${String(error)}`) };
  }
  return { text, error: null };
}
