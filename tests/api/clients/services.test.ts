import { describe, expect, test } from 'vitest';
import { anthropicLibrary } from '../../support/clients/libraries/anthropic.ts';
import { openAiChat, openAiResponses } from '../../support/clients/libraries/openai.ts';
import { claudeCode, codex } from '../../support/clients/shapes/shapes.ts';
import { forTests } from '../../support/for-tests.ts';
import {
  serviceRows,
  startServicesProxy,
  toServiceModel,
} from '../../support/servers/service-proxy.ts';
import { callIdOf } from '../../support/upstreams/services.ts';
import { readRequest } from '../../support/upstreams/stand-in/read-request.ts';

/** Of each protocol of a service. */
const clients = {
  chat: [openAiChat, anthropicLibrary],
  responses: [openAiResponses, codex],
  messages: [anthropicLibrary, claudeCode],
} as const;

const services = forTests(startServicesProxy);

describe.each(serviceRows)('$name by $protocol', (row) => {
  test.each(clients[row.protocol])('$client calls a tool and gets the reply', async (client) => {
    const { requests } = services.upstreamOf(row);
    requests.length = 0;
    const { url, baseUrl, key } = services.proxy;
    const access = { url, baseUrl, key, model: toServiceModel(row) };
    const used = await client.runTools(access, true);
    expect(used).toEqual({ cities: [{ city: 'Oslo' }], text: 'Done' });
    const last = requests.at(-1);
    expect(last?.protocol).toBe(row.protocol);
    const id = callIdOf(row);
    expect(last && readRequest(last)).toMatchObject({
      calls: [{ id, name: 'get_weather', input: { city: 'Oslo' } }],
      results: [{ id, text: '22 °C in Oslo' }],
    });
  });
});
