import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  clients,
  findClient,
  pickOfferedModels,
  rankModels,
} from '#lib/representations/clients/clients.ts';
import { readModelList } from '#lib/representations/listed-models.ts';

const siteUrl = 'https://events.example';
const key = 'mq_test';
const facts = { contextTokens: 64_000, capabilities: ['tools', 'vision'] as const };

function toFirstCode(clientId: string, modelId: string) {
  const code = findClient(clientId)?.toCode({ siteUrl, key, model: { id: modelId, ...facts } });
  return code?.[0]?.code ?? '';
}

/** What a shell makes of a script: its variables, and the words of its last command. */
function runInShell(script: string) {
  const lines = script.replace(/\n(claude|codex|opencode|copilot|qwen)/, '\nshow');
  const program = `show() { env; for one in "$@"; do printf 'word:%s\\n' "$one"; done; }\n${lines}`;
  const text = execFileSync('sh', ['-c', program], { env: { NODE_ENV: 'test' }, encoding: 'utf8' });
  const words = [...text.matchAll(/^word:(.*)$/gm)].map(([, word]) => word);
  return { text, words };
}

const hostileIds = [
  `a'b"c`,
  '$(echo canary)',
  '`echo canary`',
  'a;echo\\n',
  'x/y&z|w',
  "';exit 9;'",
];

test.each(hostileIds)('a shell takes the model %j as it is', (id) => {
  expect(runInShell(toFirstCode('claude-code', id)).text).toContain(`ANTHROPIC_MODEL=${id}\n`);
  expect(runInShell(toFirstCode('copilot-cli', id)).text).toContain(`COPILOT_MODEL=${id}\n`);
  expect(runInShell(toFirstCode('qwen-code', id)).text).toContain(`OPENAI_MODEL=${id}\n`);
  expect(runInShell(toFirstCode('codex', id)).words).toContain(`model=${JSON.stringify(id)}`);
  const settings = /^OPENCODE_CONFIG_CONTENT=(.*)$/m.exec(
    runInShell(toFirstCode('opencode', id)).text,
  );
  expect(JSON.parse(settings?.[1] ?? '')).toMatchObject({ model: `marquee/${id}` });
});

test.each(clients)(
  '$title: every block has the model, and none has a key that was not given',
  (client) => {
    const model = { id: 'lantern/wick-3', ...facts };
    const given = client.toCode({ siteUrl, key, model });
    expect(given.map(({ code }) => code).join('\n')).toContain('lantern/wick-3');
    expect(given.map(({ code }) => code).join('\n')).toContain(key);
    expect(given.map(({ code }) => code).join('\n')).toContain(`${siteUrl}/proxy`);
    const without = client.toCode({ siteUrl, key: null, model });
    expect(JSON.stringify(without)).not.toMatch(/null|undefined|mq_/);
    for (const { language, code } of [...given, ...without]) {
      if (language === 'json') expect(JSON.parse(code)).toBeTypeOf('object');
    }
  },
);

test('settings say how much a model takes, and what it can see', () => {
  expect(toFirstCode('claude-code', 'm')).toContain('CLAUDE_CODE_AUTO_COMPACT_WINDOW=64000');
  expect(toFirstCode('codex', 'm')).toContain('model_context_window=64000');
  expect(JSON.parse(toFirstCode('vs-code', 'm'))).toMatchObject([
    {
      models: [{ maxInputTokens: 48_000, maxOutputTokens: 16_000, vision: true, thinking: false }],
    },
  ]);
  expect(JSON.parse(toFirstCode('zed', 'm'))).toMatchObject({
    language_models: {
      openai_compatible: { Marquee: { available_models: [{ max_tokens: 64_000 }] } },
    },
  });
  expect(toFirstCode('continue', 'm')).toContain('contextLength: 64000');
});

const tools = { supported_parameters: ['tools'] };
const reasoning = { supported_parameters: ['tools', 'reasoning'] };
const models = readModelList({
  data: [
    { id: 'tiny', context_length: 4_096, ...reasoning },
    { id: 'small', context_length: 16_000, ...reasoning },
    { id: 'no-tools', context_length: 200_000, supported_parameters: ['reasoning'] },
    { id: 'unknown' },
    { id: 'medium', context_length: 64_000, ...reasoning },
    { id: 'large', context_length: 200_000, ...tools },
    { id: 'large-thinker', context_length: 200_000, ...reasoning },
    { id: 'claude-like', context_length: 200_000, ...reasoning },
  ],
});
const rank = (id: string) => {
  const client = findClient(id);
  return client === undefined ? [] : rankModels(client, models).map((model) => model.id);
};

test('agents get models with tools and room, those that suit them best first', () => {
  expect(rank('codex')).toEqual(['claude-like', 'large-thinker', 'large', 'medium', 'unknown']);
  expect(rank('claude-code')[0]).toBe('claude-like');
});

test('no client is offered a model of 4k tokens', () => {
  for (const { id } of clients) expect(rank(id)).not.toContain('tiny');
  expect(rank('curl')).toContain('small');
  expect(pickOfferedModels(models).map(({ id }) => id)).not.toContain('tiny');
});
