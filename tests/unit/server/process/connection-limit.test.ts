import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { limitConnections } from '#lib/server/process/connection-limit.ts';
import { createTestLog } from '../../../support/test-log.ts';

test('a connection beyond the limit is closed, and leaves a line', async () => {
  const log = createTestLog();
  const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  onTestFinished(() => server.closeAllConnections());
  limitConnections(server, { log, descriptorsMax: 4 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let count = 0; count < 3; count++) {
    connect(port, '127.0.0.1');
    await once(server, 'connection');
  }
  await once(connect(port, '127.0.0.1').resume(), 'close');
  expect(log.lines).toEqual([
    {
      level: 'warn',
      fields: { reason: 'connections_full', connectionsMax: 3 },
      message: 'a connection was dropped',
    },
  ]);
  server.close();
});
