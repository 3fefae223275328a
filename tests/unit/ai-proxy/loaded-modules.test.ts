import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../../support/temporary-folder.ts';

const program = `
  const { registerHooks } = require('node:module');
  const files = [];
  registerHooks({ load(url, context, next) { files.push(url); return next(url, context); } });
  import('#lib/services.ts').then(async ({ getServices }) => {
    const services = getServices();
    services.aiProxy.start();
    await services.close();
    console.log(files.filter((url) => url.includes('/lib/ai-proxy/pipeline/')).length);
  });
`;

async function countPipelineModules(environment: Readonly<Record<string, string>>) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program], {
    env: { ...process.env, DATA_DIR: makeTestFolder(), LOG_LEVEL: 'silent', ...environment },
  });
  return Number(stdout);
}

test('without an upstream nothing that generates is loaded; with one it is loaded at the start', async () => {
  const upstream = { AI_UPSTREAM_URL: 'http://127.0.0.1:1/v1', AI_UPSTREAM_KEY: 'sk-test' };

  expect(await countPipelineModules({})).toBe(0);
  expect(await countPipelineModules(upstream)).toBeGreaterThan(5);
});
