import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { runNode } from '../../support/programs/run-node.ts';
import { listenOnLoopback } from '../../support/servers/loopback-server.ts';
import { expectOnePage } from '../../support/servers/workers-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

test('two workers serve on one port, and their metrics are one page', () => expectOnePage());

describe('what keeps the server from starting is one line', () => {
  const main = resolve(import.meta.dirname, '../../../lib/server/main.ts');

  async function start(environment: Environment) {
    const { HOME, PATH } = process.env;
    const settings = { HOST: '127.0.0.1', PORT: '0', WORKERS: '2', DATA_DIR: makeTestFolder() };
    return runNode([main], {
      environment: { HOME, PATH, NODE_ENV: 'production', ...settings, ...environment },
    });
  }

  test('a wrong setting', async () => {
    const { code, error } = await start({ WORKERS: '65' });
    expect(code).toBe(1);
    expect(error).toBe(
      'WORKERS is "65", but must be a whole number from 1 to 64, or max for one worker for each core of the machine.\n',
    );
  });

  test.for(['PORT', 'METRICS_PORT'])('a %s in use', async (name) => {
    const { port, close } = await listenOnLoopback(createServer());
    onTestFinished(close);
    const { code, error, out } = await start({ [name]: String(port) });
    expect(code).toBe(1);
    expect(error).toBe(`${name} is ${port}, but something else listens there already.\n`);
    expect(out.match(/start_failed/g)).toHaveLength(1);
  });
});
