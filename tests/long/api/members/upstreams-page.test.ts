import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMembersSite } from '../../../support/members/members-site.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

const upstream = {
  name: 'north',
  // Nothing listens there.
  url: 'http://127.0.0.1:9/v1',
  keyEnv: 'NORTH_KEY',
  protocols: ['chat', 'messages'],
  fields: {
    '*': { user: false, other_types: false },
    'o4-mini': {
      reasoning_effort: ['low', 'high'],
      max_tokens: 'max_completion_tokens',
      max_output_tokens: 100000,
    },
  },
};

test('the facts that the operator has fixed are shown with their upstream', async () => {
  const path = join(makeTestFolder(), 'upstreams.json');
  writeFileSync(path, JSON.stringify({ upstreams: [upstream] }));
  const site = await startMembersSite({
    settings: {
      AI_UPSTREAM_URL: '',
      AI_UPSTREAM_KEY: '',
      AI_UPSTREAMS_FILE: path,
      NORTH_KEY: 'sk-north',
    },
  });
  onTestFinished(() => site.close());
  const { browser } = await site.signIn('root');
  const { text } = await browser.open(`${site.siteUrl}/admin/upstreams`);
  const shown = text.replaceAll(/<!-- -->|<[^>]*>/g, '');
  expect(shown).toContain('Set by the operator for north');
  expect(shown).toContain('All models: user is left out');
  expect(shown).toContain('All models: other_types is left out');
  expect(shown).toContain('o4-mini: reasoning_effort may be low, high');
  expect(shown).toContain('o4-mini: max_tokens may be max_completion_tokens');
  expect(shown).toContain('o4-mini: max_output_tokens may be 100000');
  expect(shown).not.toContain('sk-north');
});
