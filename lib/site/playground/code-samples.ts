import { type Api, apiPaths, type ChatRequest, toRequestFields } from './chat-request.ts';

/** A request in one language, ready to be pasted. */
type CodeSample = Readonly<{ title: string; code: string }>;

type SampleOptions = Readonly<{ siteUrl: string }>;

/** The same request in three languages. Each reads the API key from the environment. */
export function toCodeSamples(request: ChatRequest, { siteUrl }: SampleOptions): CodeSample[] {
  const { api } = request;
  const fields = toRequestFields(withShortPictures(request));
  return [
    { title: 'curl', code: toCurl(api, fields, siteUrl) },
    { title: 'JavaScript', code: toJavaScript(api, fields, siteUrl) },
    { title: 'Python', code: toPython(api, fields, siteUrl) },
  ];
}

type Fields = ReturnType<typeof toRequestFields>;

/** A picture is too long to be shown. */
function withShortPictures(request: ChatRequest): ChatRequest {
  const turns = request.turns.map(({ pictures, ...turn }) =>
    pictures === undefined
      ? turn
      : { ...turn, pictures: pictures.map((url) => url.replace(/(,.{12}).*/, '$1…')) },
  );
  return { ...request, turns };
}

function toCurl(api: Api, fields: Fields, siteUrl: string): string {
  const body = JSON.stringify({ ...fields, stream: true }, null, 2);
  return [
    `curl -N ${siteUrl}${apiPaths[api]} \\`,
    '  -H "Authorization: Bearer $MARQUEE_KEY" \\',
    ...(api === 'messages' ? ["  -H 'anthropic-version: 2023-06-01' \\"] : []),
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body.replaceAll("'", "'\\''")}'`,
  ].join('\n');
}

const methods: Readonly<Record<Api, string>> = {
  responses: 'responses',
  chat: 'chat.completions',
  messages: 'messages',
};

const javaScriptLoops: Readonly<Record<Api, readonly string[]>> = {
  responses: [
    'for await (const event of stream) {',
    "  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);",
  ],
  chat: [
    'for await (const chunk of stream) {',
    "  process.stdout.write(chunk.choices[0]?.delta.content ?? '');",
  ],
  messages: [
    'for await (const { delta } of stream) {',
    "  if (delta?.type === 'text_delta') process.stdout.write(delta.text);",
  ],
};

function toJavaScript(api: Api, fields: Fields, siteUrl: string): string {
  const isMessages = api === 'messages';
  const name = isMessages ? 'Anthropic' : 'OpenAI';
  return [
    `import ${name} from '${isMessages ? '@anthropic-ai/sdk' : 'openai'}';`,
    '',
    `const client = new ${name}({`,
    `  baseURL: '${siteUrl}${isMessages ? '/proxy' : '/proxy/v1'}',`,
    `  ${isMessages ? 'authToken' : 'apiKey'}: process.env.MARQUEE_KEY,`,
    '});',
    '',
    `const stream = await client.${methods[api]}.create({`,
    ...Object.entries(fields).map(([field, value]) => `  ${field}: ${toText(value, 2)},`),
    '  stream: true,',
    '});',
    ...javaScriptLoops[api],
    '}',
  ].join('\n');
}

const pythonLoops: Readonly<Record<Api, readonly string[]>> = {
  responses: [
    'for event in stream:',
    '    if event.type == "response.output_text.delta":',
    '        print(event.delta, end="", flush=True)',
  ],
  chat: [
    'for chunk in stream:',
    '    if chunk.choices:',
    '        print(chunk.choices[0].delta.content or "", end="", flush=True)',
  ],
  messages: [
    'for event in stream:',
    '    if event.type == "content_block_delta" and event.delta.type == "text_delta":',
    '        print(event.delta.text, end="", flush=True)',
  ],
};

// JSON strings, numbers, arrays and objects are Python literals too.
function toPython(api: Api, fields: Fields, siteUrl: string): string {
  const isMessages = api === 'messages';
  const name = isMessages ? 'Anthropic' : 'OpenAI';
  const baseUrl = `${siteUrl}${isMessages ? '/proxy' : '/proxy/v1'}`;
  const keyName = isMessages ? 'auth_token' : 'api_key';
  return [
    'import os',
    `from ${name.toLowerCase()} import ${name}`,
    '',
    `client = ${name}(base_url="${baseUrl}", ${keyName}=os.environ["MARQUEE_KEY"])`,
    '',
    `stream = client.${methods[api]}.create(`,
    ...Object.entries(fields).map(([field, value]) => `    ${field}=${toText(value, 4)},`),
    '    stream=True,',
    ')',
    ...pythonLoops[api],
  ].join('\n');
}

function toText(value: unknown, columns: number): string {
  return JSON.stringify(value, null, columns).replaceAll('\n', `\n${' '.repeat(columns)}`);
}
