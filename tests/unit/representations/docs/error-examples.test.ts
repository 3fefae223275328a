import { expect, test } from 'vitest';
import { toOpenAiErrorBody } from '#lib/ai-proxy/error-response.ts';
import { readChatRequest } from '#lib/ai-proxy/protocols/chat/chat-request.ts';
import { parseJsonBody } from '#lib/ai-proxy/protocols/json/parse-json.ts';
import { parseListQuery } from '#lib/events/query/parse-query.ts';
import { toApiErrorBody } from '#lib/http/errors/api-error.ts';
import { readDocsText } from '../../../support/docs-texts.ts';
import { thrownBy, toBody } from '../../../support/upstreams/proxy-errors.ts';

const siteUrl = 'https://events.example';
const [apiExample, proxyExample] = [
  ...readDocsText('errors').matchAll(/```json\n([\s\S]*?)```/g),
].map(([, json = '']) => JSON.parse(json.replaceAll('{{site.url}}', siteUrl)));

test('the documented error of the events API is what `sort=start` gives', () => {
  const query = `${siteUrl}/api/v1/events?sort=start`;
  const error = thrownBy(() => parseListQuery(query));
  expect(toApiErrorBody(error, siteUrl)).toEqual(apiExample);
});

test('the documented error of the AI proxy is what a temperature of 3 gives', () => {
  const request = { model: 'm', messages: [{ role: 'user', content: 'x' }], temperature: 3 };
  const error = thrownBy(() => readChatRequest(parseJsonBody(toBody(request))));
  expect(toOpenAiErrorBody(error)).toEqual(proxyExample);
});
