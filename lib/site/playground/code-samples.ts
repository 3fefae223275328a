import { apiPaths, type ChatRequest, toInput } from './chat-request.ts';

/** A request in one language, ready to be pasted. */
export type CodeSample = Readonly<{ title: string; code: string }>;

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
  const opening = [
    "import OpenAI from 'openai';",
    '',
    'const client = new OpenAI({',
    `  baseURL: '${siteUrl}/proxy/v1',`,
    '  apiKey: process.env.MARQUEE_KEY,',
    '});',
    '',
  ];
  if (api === 'responses') {
    return [
      ...opening,
      'const stream = await client.responses.create({',
      `  model: ${JSON.stringify(model)},`,
      `  input: ${indent(JSON.stringify(toInput(turns), null, 2), 2)},`,
      '  stream: true,',
      '});',
      'for await (const event of stream) {',
      "  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);",
      '}',
    ].join('\n');
  }
  return [
    ...opening,
    'const stream = await client.chat.completions.create({',
    `  model: ${JSON.stringify(model)},`,
    `  messages: ${indent(JSON.stringify(turns, null, 2), 2)},`,
    '  stream: true,',
    '});',
    'for await (const chunk of stream) {',
    "  process.stdout.write(chunk.choices[0]?.delta.content ?? '');",
    '}',
  ].join('\n');
}

// JSON strings, arrays and objects of strings are Python literals too.
function toPython({ api, model, turns }: ChatRequest, siteUrl: string): string {
  const opening = [
    'import os',
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url="${siteUrl}/proxy/v1", api_key=os.environ["MARQUEE_KEY"])`,
    '',
  ];
  if (api === 'responses') {
    return [
      ...opening,
      'stream = client.responses.create(',
      `    model=${JSON.stringify(model)},`,
      `    input=${indent(JSON.stringify(toInput(turns), null, 4), 4)},`,
      '    stream=True,',
      ')',
      'for event in stream:',
      '    if event.type == "response.output_text.delta":',
      '        print(event.delta, end="", flush=True)',
    ].join('\n');
  }
  return [
    ...opening,
    'stream = client.chat.completions.create(',
    `    model=${JSON.stringify(model)},`,
    `    messages=${indent(JSON.stringify(turns, null, 4), 4)},`,
    '    stream=True,',
    ')',
    'for chunk in stream:',
    '    if chunk.choices:',
    '        print(chunk.choices[0].delta.content or "", end="", flush=True)',
  ].join('\n');
}

function indent(text: string, columns: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(columns)}`);
}
