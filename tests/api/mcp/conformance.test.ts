import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();
const run = promisify(execFile);
const program = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const expectedFailures = `${import.meta.dirname}/expected-failures.yml`;

test('all scenarios pass, except those that need a test server', async () => {
  const output = mkdtempSync(join(tmpdir(), 'marquee-conformance-'));
  try {
    const { stdout } = await run(process.execPath, [
      program,
      'server',
      '--url',
      `${server.url}/mcp`,
      '--expected-failures',
      expectedFailures,
      '--output-dir',
      output,
    ]);
    for (const scenario of ['server-initialize', 'ping', 'tools-list', 'resources-list']) {
      expect(stdout).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
    }
    expect(stdout).toMatch(/✓ dns-rebinding-protection: [1-9]\d* passed, 0 failed/);
  } finally {
    rmSync(output, { recursive: true });
  }
});
