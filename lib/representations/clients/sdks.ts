import {
  type Client,
  type CodeText,
  quoteForShell,
  type Setup,
  toKeyVariable,
  toShellKey,
} from './client.ts';

const question = 'Name three constellations.';

/** Libraries, and curl. */
export const sdks: readonly Client[] = [
  {
    id: 'curl',
    title: 'curl',
    isAgent: false,
    toCode(setup) {
      const body = `{"model": ${JSON.stringify(setup.model.id)}, "input": "${question}"}`;
      return [
        {
          title: 'Terminal',
          language: 'sh',
          code: `curl ${setup.siteUrl}/proxy/v1/responses \\
  -H "Authorization: Bearer ${toShellKey(setup)}" \\
  -H 'Content-Type: application/json' \\
  -d ${quoteForShell(body)}`,
        },
      ];
    },
  },
  createSdk('openai-python', 'OpenAI SDK for Python', 'python', (siteUrl, model) => [
    `import os
from openai import OpenAI

client = OpenAI(base_url="${siteUrl}/proxy/v1", api_key=os.environ["MARQUEE_KEY"])

response = client.responses.create(model=${JSON.stringify(model)}, input="${question}")
print(response.output_text)`,
  ]),
  createSdk('openai-js', 'OpenAI SDK for JavaScript', 'js', (siteUrl, model) => [
    `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${siteUrl}/proxy/v1',
  apiKey: process.env.MARQUEE_KEY,
});

const response = await client.responses.create({
  model: ${toJsText(model)},
  input: '${question}',
});
console.log(response.output_text);`,
  ]),
  createSdk('ai-sdk', 'AI SDK', 'js', (siteUrl, model) => [
    `import { createOpenAI } from '@ai-sdk/openai';
import { streamText } from 'ai';

const marquee = createOpenAI({
  baseURL: '${siteUrl}/proxy/v1',
  apiKey: process.env.MARQUEE_KEY,
});

const messages = [{ role: 'user', content: '${question}' }];
const { textStream, response } = streamText({
  model: marquee(${toJsText(model)}),
  providerOptions: { openai: { store: false } },
  messages,
});
for await (const text of textStream) process.stdout.write(text);
messages.push(...(await response).messages);`,
  ]),
  createSdk('langchain', 'LangChain', 'python', (siteUrl, model) => [
    `import os
from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model=${JSON.stringify(model)},
    base_url="${siteUrl}/proxy/v1",
    api_key=os.environ["MARQUEE_KEY"],
)
print(model.invoke("${question}").content)`,
    `import { ChatOpenAI } from '@langchain/openai';

const model = new ChatOpenAI({
  model: ${toJsText(model)},
  apiKey: process.env.MARQUEE_KEY,
  configuration: { baseURL: '${siteUrl}/proxy/v1' },
});
console.log((await model.invoke('${question}')).content);`,
  ]),
  createSdk('anthropic-js', 'Anthropic SDK', 'js', (siteUrl, model) => [
    `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({
  baseURL: '${siteUrl}/proxy',
  apiKey: process.env.MARQUEE_KEY,
});

const message = await client.messages.create({
  model: ${toJsText(model)},
  max_tokens: 1000,
  messages: [{ role: 'user', content: '${question}' }],
});
console.log(message.content);`,
  ]),
  createSdk('openrouter-js', 'OpenRouter SDK', 'js', (siteUrl, model) => [
    `import { OpenRouter } from '@openrouter/sdk';

const client = new OpenRouter({
  serverURL: '${siteUrl}/proxy/v1',
  apiKey: process.env.MARQUEE_KEY,
});

const reply = await client.chat.send({
  chatRequest: {
    model: ${toJsText(model)},
    messages: [{ role: 'user', content: '${question}' }],
  },
});
console.log(reply.choices[0].message.content);`,
  ]),
];

type ToCode = (siteUrl: string, model: string) => readonly string[];

/** Code that reads the key from the environment: it does not belong into source code. */
function createSdk(id: string, title: string, language: 'js' | 'python', toCode: ToCode): Client {
  return {
    id,
    title,
    isAgent: false,
    toCode(setup) {
      const codes = toCode(setup.siteUrl, setup.model.id).map(
        (code): CodeText => ({
          title: code.startsWith('import {') || language === 'js' ? 'JavaScript' : 'Python',
          language: code.startsWith('import {') ? 'js' : language,
          code,
        }),
      );
      return [...codes, ...toKeySetting(setup)];
    },
  };
}

function toKeySetting(setup: Setup): readonly CodeText[] {
  return Object.entries(toKeyVariable(setup)).map(([name, value]) => {
    return { title: 'Terminal, before it', language: 'sh', code: `export ${name}=${value}` };
  });
}

function toJsText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
