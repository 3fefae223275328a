import { expect, test } from 'vitest';
import { toSessionName } from '#lib/ai-proxy/pipeline/session-name.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';

const toHash = createKeyHasher('a pepper');
const toName = (headers: Record<string, string>, owner = 'mbr_ada') =>
  toSessionName(new Headers(headers), owner, toHash);

const id = '4720dd2b-028e-44b7-92d6-e53d2212d4b3';

// As Claude Code 2.1, Codex 0.169 and opencode 1.18 send them.
test.each([
  ['claude-code', { 'x-claude-code-session-id': id }],
  ['codex', { 'session-id': id, originator: 'codex_exec' }],
  ['opencode', { 'x-session-id': 'ses_df6c27511ffe', 'user-agent': 'opencode/1.18.33 ai-sdk' }],
])('the session of %s has a name that tells nothing of its id', (client, headers) => {
  const name = toName(headers);
  expect(name).toMatch(new RegExp(`^${client}-[\\w-]{8}$`));
  expect(toName(headers)).toBe(name);
  expect(toName(headers, 'mbr_bob')).not.toBe(name);
});

test.each([
  ['no id', {}],
  ['an empty one', { 'x-claude-code-session-id': '' }],
  ['one that is too long', { 'x-claude-code-session-id': 'a'.repeat(201) }],
  ['an id of another client', { 'x-session-id': id, 'user-agent': 'curl/8' }],
])('a request with %s has no session', (_, headers) => {
  expect(toName(headers as Record<string, string>)).toBeNull();
});
