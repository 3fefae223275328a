import { describe, expect, test } from 'vitest';
import { anthropicLibrary } from '../../support/clients/libraries/anthropic.ts';
import { openAiChat, openAiResponses } from '../../support/clients/libraries/openai.ts';
import { claudeCode, codex } from '../../support/clients/shapes/shapes.ts';
import { forTests } from '../../support/for-tests.ts';
import { serviceRows, startServiceProxy } from '../../support/servers/service-proxy.ts';
import { readRequest } from '../../support/upstreams/stand-in/read-request.ts';

/** Of each protocol of a service. */
const clients = {
  chat: [openAiChat, anthropicLibrary],
  responses: [openAiResponses, codex],
  messages: [anthropicLibrary, claudeCode],
} as const;

describe.each(serviceRows)('$name by $protocol', ({ name, protocol }) => {
  const service = forTests(() => startServiceProxy(name, [...new Set(['chat', protocol])]));

  test.each(clients[protocol])('$client calls a tool and gets the reply', async (client) => {
    const { proxy, upstream } = service;
    upstream.requests.length = 0;
    const { url, baseUrl, key } = proxy;
    const used = await client.runTools({ url, baseUrl, key, model: 'm' }, true);
    expect(used).toEqual({ cities: [{ city: 'Oslo' }], text: 'Done' });
    const last = upstream.requests.at(-1);
    expect(last?.protocol).toBe(protocol);
    expect(last && readRequest(last)).toMatchObject({
      calls: [{ id: 'call_1', name: 'get_weather', input: { city: 'Oslo' } }],
      results: [{ id: 'call_1', text: '22 °C in Oslo' }],
    });
  });
});
