import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clients, findClient } from '#lib/representations/clients/clients.ts';
import {
  isConnectable,
  toConnectScript,
} from '#lib/representations/clients/connect/connect-script.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

const siteUrl = 'https://events.example:8443';
const key = `mq_${'A'.repeat(49)}`;
const model = { id: 'lantern/wick-3', contextTokens: 64_000, capabilities: ['tools'] } as const;
const connectable = clients.filter(isConnectable);

function toScript(clientId: string, id: string = model.id): string {
  const client = findClient(clientId);
  if (client === undefined || !isConnectable(client)) throw new TypeError(clientId);
  return toConnectScript(client, { siteUrl, model: { ...model, id } });
}

/** The script’s change of a settings file, and what it leads to once done again, and once undone. */
function change(clientId: string, before: string, edit = (text: string) => text, id?: string) {
  const folder = makeTestFolder();
  const [file, copy] = [join(folder, 'settings'), join(folder, 'copy')];
  writeFileSync(copy, before);
  const run = (undo: string, settings: string) => {
    writeFileSync(file, settings);
    const set = `file='${file}' copy='${copy}' key='${key}'; change '${undo}'`;
    const script = toScript(clientId, id).replace('main "$@"', set);
    return execFileSync('sh', ['-s'], { input: script, encoding: 'utf8', stdio: 'pipe' });
  };
  const changed = run('', before);
  return { changed, again: () => run('', changed), undone: () => run('1', edit(changed)) };
}

test.each(connectable)('$title: at most 60 lines, and the command that runs it', ({ id }) => {
  const script = toScript(id);
  expect(script.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  expect(script).toContain(`curl -fsS ${siteUrl}/connect/${id} | sh -s -- --undo`);
  expect(script).not.toContain('{{');
  expect(script.endsWith('\nmain "$@"\n')).toBe(true);
});

test('Codex, Claude Code and opencode can be connected', () => {
  expect(connectable.map(({ id }) => id).sort()).toEqual(['claude-code', 'codex', 'opencode']);
});

const claudeEnv = {
  ANTHROPIC_BASE_URL: `${siteUrl}/proxy`,
  ANTHROPIC_AUTH_TOKEN: key,
  ANTHROPIC_MODEL: 'lantern/wick-3',
  ANTHROPIC_DEFAULT_HAIKU_MODEL: 'lantern/wick-3',
  CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
  CLAUDE_CODE_AUTO_COMPACT_WINDOW: '64000',
};

const jsonSettings = [
  {},
  { permissions: { allow: ['Bash(a,b{c}:*)', 'x "y" \\ //z'], deny: [] }, model: 'opus' },
  { env: {} },
  { env: { FOO: '1', ANTHROPIC_MODEL: 'claude-opus', BAR: 'ü \u2028 {"a": [' }, hooks: {} },
  { nested: { env: { ANTHROPIC_MODEL: 'x' } }, list: [[1, -2.5e3, true, null], { a: {} }] },
] as const;

test.each(jsonSettings)('settings of Claude Code keep what others wrote: %j', (before) => {
  for (const text of [JSON.stringify(before), `${JSON.stringify(before, null, 2)}\n`]) {
    const { changed, again, undone } = change('claude-code', text);
    const env = 'env' in before ? before.env : {};
    expect(JSON.parse(changed)).toEqual({ ...before, env: { ...env, ...claudeEnv } });
    expect(JSON.parse(again())).toEqual(JSON.parse(changed));
    expect(JSON.parse(undone())).toEqual(before);
  }
});

test('the script for Codex says how its web search is turned on or off', () => {
  const said = toScript('codex').match(/^ *echo .*web_search = "disabled".*$/gm);
  expect(said).toHaveLength(1);
});

test('what was changed after the connection stays when it is undone', () => {
  const edit = (text: string) => text.replace('{', '{"theme": "dark",').replace('"b"', '"c"');
  const { undone } = change('claude-code', '{"env": {"A": "b", "ANTHROPIC_MODEL": "old"}}', edit);
  expect(JSON.parse(undone())).toEqual({ theme: 'dark', env: { A: 'c', ANTHROPIC_MODEL: 'old' } });
});

test('a file that was not there is empty once it is undone', () => {
  for (const { id } of connectable) expect(change(id, '').undone()).toBe('');
});

test.each(['// a comment\n{}', '{"a": 1 /* b */}', '{"a": [1, 2}', '{"a": 1', '{"a": "b}'])(
  'JSON that is not plain is left alone: %j',
  (before) => {
    expect(() => change('claude-code', before)).toThrow();
  },
);

test('settings of opencode are those that the account page shows, with the key', () => {
  const { changed, undone } = change('opencode', '{"provider": {"marquee": 1, "b": {}}}');
  const [, shown] = findClient('opencode')?.toCode({ siteUrl, key: null, model }) ?? [];
  const expected = JSON.parse((shown?.code ?? '').replace('{env:MARQUEE_KEY}', key));
  expected.provider.b = {};
  expect(JSON.parse(changed)).toEqual(expected);
  expect(JSON.parse(undone())).toEqual({ provider: { marquee: 1, b: {} } });
});

const toml = `# mine
model = "gpt-5"   # the best
"model_provider" = 'openai'
approval_policy = "never"
notify = [
  "say",
]
instructions = """
[not.a.table]
model = "in a text"
"""

[model_providers.marquee]
name = "old"
[model_providers.marquee.http_headers]
a = "b"

[model_providers.mine]
model = "stays"
[projects."/home/[x]"]
trust_level = "trusted"
`;

test('settings of Codex keep what others wrote, as text', () => {
  const { changed, again, undone } = change('codex', toml);
  expect(again()).toBe(changed);
  expect(undone()).toBe(toml);
  expect(changed).toBe(`model = "lantern/wick-3"
model_provider = "marquee"
model_context_window = 64000
# mine
approval_policy = "never"
notify = [
  "say",
]
instructions = """
[not.a.table]
model = "in a text"
"""

[model_providers.mine]
model = "stays"
[projects."/home/[x]"]
trust_level = "trusted"
[model_providers.marquee]
name = "Marquee"
base_url = "${siteUrl}/proxy/v1"
wire_api = "responses"
experimental_bearer_token = "${key}"
`);
});

const added = '[projects."/work"]\ntrust_level = "trusted"\n';

test('tables that Codex adds later stay when it is undone', () => {
  const before = 'model = "gpt-5" # the best\napproval_policy = "never"\n';
  expect(change('codex', before, (text) => text + added).undone()).toBe(before + added);
  expect(change('codex', '', (text) => text + added).undone()).toBe(added);
});

test('it is undone, and done again, where Codex has written the file anew without comments', () => {
  const before = '# mine\nmodel = "gpt-5"\n[model_providers.marquee]\nname = "old"\n';
  const rewrite = (text: string) =>
    `${text.replaceAll(/ *#.*\n/g, '')}[model_providers.marquee.http_headers]\na = "b"\n${added}`;
  const { undone } = change('codex', before, rewrite);
  expect(undone()).toBe(`model = "gpt-5"\n${added}[model_providers.marquee]\nname = "old"\n`);
  const again = change('codex', rewrite(change('codex', before).changed)).changed;
  expect(again.match(/^\[model_providers\.marquee/gm)).toHaveLength(1);
  expect(again.match(/^model = /gm)).toHaveLength(1);
  expect(again).toContain(added);
});

test.each([
  `a'b"c $(touch canary) \`touch canary\` a\\b $HOME ;exit 9`,
  '$key a$key" {{body}} $&$1 a\\nEND\\n',
  '-d@/etc/passwd',
])('the model %j is taken as it is', (id) => {
  const { env } = JSON.parse(change('claude-code', '{}', undefined, id).changed);
  expect(env.ANTHROPIC_MODEL).toBe(id);
  const { model } = JSON.parse(change('opencode', '', undefined, id).changed);
  expect(model).toBe(`marquee/${id}`);
  const [line] = change('codex', '', undefined, id).changed.split('\n');
  expect(line).toBe(`model = ${JSON.stringify(id)}`);
  expect(existsSync('canary')).toBe(false);
});

test('the parts of a script are plain ASCII', () => {
  for (const { id } of connectable) expect(toScript(id)).toMatch(/^[\t\n -~]+$/);
});
