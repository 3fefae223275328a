import { apiPaths, type ChatRequest, toInput } from './chat-request.ts';

/** A request in one language, ready to be pasted. */
type CodeSample = Readonly<{ title: string; code: string }>;

type SampleOptions = Readonly<{ siteUrl: string }>;

/** The same request in three languages. Each reads the API key from the environment. */
export function toCodeSamples(request: ChatRequest, { siteUrl }: SampleOptions): CodeSample[] {
  return [
    { title: 'curl', code: toCurl(request, siteUrl) },
    { title: 'JavaScript', code: toJavaScript(request, siteUrl) },
    { title: 'Python', code: toPython(request, siteUrl) },
  ];
}

function toCurl({ api, model, turns }: ChatRequest, siteUrl: string): string {
  const content = api === 'responses' ? { input: toInput(turns) } : { messages: turns };
  const body = JSON.stringify({ model, ...content, stream: true }, null, 2);
  return [
    `curl -N ${siteUrl}${apiPaths[api]} \\`,
    '  -H "Authorization: Bearer $MARQUEE_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body.replaceAll("'", "'\\''")}'`,
  ].join('\n');
}

function toJavaScript({ api, model, turns }: ChatRequest, siteUrl: string): string {
  const isResponses = api === 'responses';
  const [method, field] = isResponses
    ? ['responses', `input: ${toText(toInput(turns), 2)}`]
    : ['chat.completions', `messages: ${toText(turns, 2)}`];
  const loop = isResponses
    ? [
        'for await (const event of stream) {',
        "  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);",
      ]
    : [
        'for await (const chunk of stream) {',
        "  process.stdout.write(chunk.choices[0]?.delta.content ?? '');",
      ];
  return [
    "import OpenAI from 'openai';",
    '',
    'const client = new OpenAI({',
    `  baseURL: '${siteUrl}/proxy/v1',`,
    '  apiKey: process.env.MARQUEE_KEY,',
    '});',
    '',
    `const stream = await client.${method}.create({`,
    `  model: ${JSON.stringify(model)},`,
    `  ${field},`,
    '  stream: true,',
    '});',
    ...loop,
    '}',
  ].join('\n');
}

// JSON strings, arrays and objects of strings are Python literals too.
function toPython({ api, model, turns }: ChatRequest, siteUrl: string): string {
  const isResponses = api === 'responses';
  const [method, field] = isResponses
    ? ['responses', `input=${toText(toInput(turns), 4)}`]
    : ['chat.completions', `messages=${toText(turns, 4)}`];
  const loop = isResponses
    ? [
        'for event in stream:',
        '    if event.type == "response.output_text.delta":',
        '        print(event.delta, end="", flush=True)',
      ]
    : [
        'for chunk in stream:',
        '    if chunk.choices:',
        '        print(chunk.choices[0].delta.content or "", end="", flush=True)',
      ];
  return [
    'import os',
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url="${siteUrl}/proxy/v1", api_key=os.environ["MARQUEE_KEY"])`,
    '',
    `stream = client.${method}.create(`,
    `    model=${JSON.stringify(model)},`,
    `    ${field},`,
    '    stream=True,',
    ')',
    ...loop,
  ].join('\n');
}

function toText(value: unknown, columns: number): string {
  return JSON.stringify(value, null, columns).replaceAll('\n', `\n${' '.repeat(columns)}`);
}
