import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from '#lib/server/process/listen.ts';
import { listenOnLoopback } from '../../../support/servers/loopback-server.ts';

/** What `npm start` prints when it cannot listen; a port below 1024 is tested with a process. */

test('a port in use is an error of one line', async () => {
  await using other = await listenOnLoopback(createServer());
  const { port } = other;
  const listening = listen(createServer(), { host: '127.0.0.1', port });
  await expect(listening).rejects.toMatchObject({
    name: 'ConfigError',
    message: `PORT is ${port}, but something else listens there already.`,
  });
});

test('the metrics’ port is named by its own setting', async () => {
  await using other = await listenOnLoopback(createServer());
  const { port } = other;
  const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' } as const;
  const listening = listen(createServer(), { host: '127.0.0.1', port }, settings);
  await expect(listening).rejects.toThrow(
    `METRICS_PORT is ${port}, but something else listens there already.`,
  );
});

test('a HOST that is no address of this machine is an error of one line', async () => {
  const listening = listen(createServer(), { host: '192.0.2.1', port: 0 });
  await expect(listening).rejects.toMatchObject({
    name: 'ConfigError',
    message: 'HOST is 192.0.2.1, which is no address of this machine.',
  });
});
