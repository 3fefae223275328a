import Anthropic from '@anthropic-ai/sdk';
import { OpenRouter } from '@openrouter/sdk';
import type { ClientApi } from '#lib/representations/docs/generated-tables.ts';
import { agents } from '../../agents/agents.ts';
import { readRecording } from '../../agents/recordings.ts';
import { prompt } from './client-fixtures.ts';
import { realClients } from './real-clients.ts';

type Access = Readonly<{ siteUrl: string; baseUrl: string; key: string; model: string }>;

/** A client of the documentation's table, and a run of it: the text of a reply, or of the requests of a session. */
export type ClientRun = Readonly<{
  client: string;
  api: ClientApi;
  run: (access: Access) => Promise<string>;
}>;

const documentedNames: Readonly<Record<string, string>> = {
  'openai’s chat': 'OpenAI SDK',
  'openai’s responses': 'OpenAI SDK',
  'the AI SDK’s openai.responses()': 'AI SDK, OpenAI provider',
  'the AI SDK’s openai.chat()': 'AI SDK, OpenAI provider',
  'the AI SDK’s openai-compatible': 'AI SDK, OpenAI-compatible provider',
  'the AI SDK’s openrouter': 'AI SDK, OpenRouter provider',
  'LangChain’s chat': 'LangChain',
  'LangChain’s responses': 'LangChain',
  'OpenAI’s agents by chat': 'OpenAI Agents SDK',
  'OpenAI’s agents by responses': 'OpenAI Agents SDK',
};

const apisByPath = {
  '/chat/completions': 'chat',
  '/responses': 'responses',
  '/messages': 'messages',
} as const;

const openRouter = ({ baseUrl, key }: Access) =>
  new OpenRouter({ apiKey: key, serverURL: baseUrl });
const messages = [{ role: 'user' as const, content: prompt }];

export const clientRuns: readonly ClientRun[] = [
  ...realClients.map(({ client, api, ask }) => ({
    client: documentedNames[client] ?? client,
    api,
    run: (access: Access) => ask(access, access.model),
  })),
  {
    client: 'OpenRouter SDK',
    api: 'chat',
    run: async (access) =>
      JSON.stringify(
        await openRouter(access).chat.send({ chatRequest: { model: access.model, messages } }),
      ),
  },
  {
    client: 'OpenRouter SDK',
    api: 'responses',
    run: async (access) =>
      JSON.stringify(
        await openRouter(access).responses.send({
          responsesRequest: { model: access.model, input: prompt },
        }),
      ),
  },
  {
    client: 'Anthropic SDK',
    api: 'messages',
    async run({ siteUrl, key, model }) {
      const client = new Anthropic({ baseURL: `${siteUrl}/proxy`, apiKey: key, maxRetries: 0 });
      return JSON.stringify(await client.messages.create({ model, max_tokens: 500, messages }));
    },
  },
  ...agents.map(({ name, path }) => ({
    client: name.replace(/ by .*|, newer .*/, ''),
    api: apisByPath[path],
    run: (access: Access) => replay(name, access),
  })),
];

/** The last recorded request, which has the whole session. */
async function replay(name: string, { siteUrl, key, model }: Access): Promise<string> {
  const last = readRecording({ name }).at(-1);
  if (last === undefined) throw new TypeError(`There is no recording of ${name}.`);
  const response = await fetch(siteUrl + last.path, {
    method: 'POST',
    headers: { ...last.headers, authorization: `Bearer ${key}` },
    body: JSON.stringify({ ...(last.body as object), model, stream: false }),
  });
  if (!response.ok) throw new TypeError(`${response.status} ${await response.text()}`);
  return response.text();
}
