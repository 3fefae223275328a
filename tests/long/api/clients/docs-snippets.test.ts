import { execFile, spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, promisify } from 'node:util';
import { toString as toNodeText } from 'mdast-util-to-string';
import { describe, expect, inject, test, vi } from 'vitest';
import { loadDocsPage } from '#lib/representations/docs/pages.ts';
import { model } from '../../../support/clients/client-fixtures.ts';
import { postJson } from '../../../support/clients/post-json.ts';
import { upstreamKinds } from '../../../support/servers/in-process-proxy.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { testSite } from '../../../support/test-site.ts';

/** The code of `/docs/ai` runs as it stands there, and then continues its conversation. */
const run = promisify(execFile);
const anywhere = { siteUrl: testSite.url, model };
const root = resolve(import.meta.dirname, '../../../..');

const question = `[{ role: 'user', content: 'Name three constellations.' }`;
const further = `{ role: 'user', content: 'And their stars?' }]`;

/** The second turn with the variables of the first. */
const secondTurns = {
  'OpenAI SDK for JavaScript': `
    const { output_text } = await client.responses.create({
      model: '${model}', input: ${question}, ...response.output, ${further},
    });
    console.log(output_text);`,
  'AI SDK': `
    const second = streamText({
      model: marquee('${model}'),
      providerOptions: { openai: { store: false } },
      messages: [...messages, ${further},
    });
    console.log(await second.text);`,
  LangChain: `
    const asked = ${question}];
    const first = await model.invoke(asked);
    console.log((await model.invoke([...asked, first, ${further})).content);`,
  'Anthropic SDK': `
    const second = await client.messages.create({
      model: '${model}', max_tokens: 1000,
      messages: ${question}, { role: 'assistant', content: message.content }, ${further},
    });
    console.log(second.content[0].text);`,
  'OpenRouter SDK': `
    const second = await client.chat.send({
      chatRequest: { model: '${model}', messages: ${question}, reply.choices[0].message, ${further} },
    });
    console.log(second.choices[0].message.content);`,
} as const;

/** The same for Python. */
const pythonTurns = {
  'OpenAI SDK for Python': `
turns = [{"role": "user", "content": "Name three constellations."}]
turns += response.output
turns.append({"role": "user", "content": "And their stars?"})
print(client.responses.create(model="${model}", input=turns).output_text)`,
  LangChain: `
turns = [("user", "Name three constellations.")]
turns += [model.invoke(turns), ("user", "And their stars?")]
print(model.invoke(turns).content)`,
} as const;

const firstReply = /You wrote “Name three constellations\\?\.”/;
const secondReply = /it is your turn 2/;

describe.each(upstreamKinds)('the code of /docs/ai, %s upstream', (upstream) => {
  const { url, key } = inject('servers')[upstream];
  const access = { siteUrl: url, model };
  const start = async (program: string, args: readonly string[]) => {
    const env = {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      MARQUEE_KEY: key,
      NODE_ENV: 'test',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    };
    return (await run(program, args, { cwd: root, env: env as NodeJS.ProcessEnv })).stdout;
  };

  test.each(Object.entries(secondTurns))('JavaScript: %s', async (heading, second) => {
    const output = await runModule(readSnippet(access, heading, 'js') + second, key);
    expect(output).toMatch(firstReply);
    expect(output).toMatch(secondReply);
  });

  for (const [heading, second] of Object.entries(pythonTurns)) {
    const code = readSnippet(access, heading, 'python') + second;
    test.concurrent(`Python: ${heading}, its grammar`, async () => {
      await start('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', code]);
    });

    // Debian has no package of these clients: they run where pip has installed them.
    if (!hasModules(code)) continue;
    test.concurrent(`Python: ${heading}`, async () => {
      const output = await start('python3', ['-c', code]);
      expect(output).toMatch(firstReply);
      expect(output).toMatch(secondReply);
    });
  }

  test.concurrent.each(curlSnippets(access))('curl: $heading', async ({ heading, code }) => {
    const named = heading === 'Embeddings' ? code.replace(model, 'lantern-demo/embed-large') : code;
    const body = JSON.parse(await start('sh', ['-c', named.replaceAll('curl ', 'curl -sS ')]));
    expect(body.error ?? null).toBeNull();
    expect(body.output ?? body.choices ?? body.data).toBeTypeOf('object');
  });

  test('the JSON of a conversation is a request', async () => {
    const body = readSnippet(access, 'Conversations', 'json');
    const response = await postJson(`${url}/proxy/v1/responses`, key, body);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(secondReply);
  });
});

/** Runs a module in this process, where the clients' libraries are loaded once; returns what it prints. */
async function runModule(code: string, key: string): Promise<string> {
  const folder = makeTestFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'snippet.mjs');
  writeFileSync(file, code);
  vi.stubEnv('MARQUEE_KEY', key);
  let output = '';
  vi.spyOn(console, 'log').mockImplementation((...words) => {
    output += `${format(...words)}\n`;
  });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text;
    return true;
  });
  try {
    await import(pathToFileURL(file).href);
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
  return output;
}

test('every block of code is run, or shows no code of a client', () => {
  const run = [
    ...Object.keys(secondTurns).map((heading) => `${heading}: js`),
    ...Object.keys(pythonTurns).map((heading) => `${heading}: python`),
    ...curlSnippets(anywhere).map(({ heading }) => `${heading}: sh`),
    'Conversations: json',
    // By npm run test:agents.
    'Claude Code: sh',
    'Codex: sh',
    'opencode: sh',
    // Settings, commands of the server, and an excerpt of a stream.
    'Codex: toml',
    'opencode: json',
    'Copilot CLI: sh',
    'Qwen Code: sh',
    'VS Code: json',
    'Zed: json',
    'Zed: sh',
    'Continue: yaml',
    'Get an API key: sh',
    'If a key leaks: sh',
    'Other clients: sh',
    'Streaming: console',
  ];
  const all = readSnippets(anywhere).map((snippet) => `${snippet.heading}: ${snippet.language}`);
  expect([...new Set(all)].sort()).toEqual([...new Set(run)].sort());
});

function curlSnippets(access: Parameters<typeof readSnippets>[0]) {
  return readSnippets(access).filter(
    // Not the one that revokes the key of all other tests.
    ({ language, code }) =>
      language === 'sh' && code.startsWith('curl ') && !code.includes('/key/revoke'),
  );
}

/** Whether what the code imports is installed. */
function hasModules(code: string): boolean {
  const [imports = ''] = /^(?:(?:from|import) .*\n)+/.exec(code) ?? [];
  return spawnSync('python3', ['-c', imports]).status === 0;
}

/** A code block of `/docs/ai`. */
type Snippet = Readonly<{ heading: string; language: string; code: string }>;

type Access = Readonly<{ siteUrl: string; model: string }>;

/** All of them, with a site and a model in their places. */
function readSnippets({ siteUrl, model }: Access): readonly Snippet[] {
  const page = loadDocsPage('ai', { ...testSite, url: siteUrl });
  if (page === undefined) throw new TypeError('There is no page /docs/ai.');
  const snippets: Snippet[] = [];
  let heading = '';
  for (const node of page.tree.children) {
    if (node.type === 'heading') heading = toNodeText(node);
    if (node.type !== 'code') continue;
    snippets.push({
      heading,
      language: node.lang ?? '',
      code: node.value.replaceAll(/\bMODEL\b/g, model),
    });
  }
  return snippets;
}

/** @throws TypeError if the page has none or several. */
function readSnippet(access: Access, heading: string, language: string): string {
  const found = readSnippets(access).filter(
    (snippet) => snippet.heading === heading && snippet.language === language,
  );
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new TypeError(`${found.length} blocks of ${language} under “${heading}”.`);
  return only.code;
}
