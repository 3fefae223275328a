import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { eventChangeSchema } from '#lib/events/changes/change.ts';
import { sign } from '#lib/site/notifications/webhooks/webhook-secrets.ts';
import { findFreePort } from '../../../support/servers/free-port.ts';
import { waitFor } from '../../../support/wait-for.ts';

const folder = `${import.meta.dirname}/../../../../lib/representations/docs/webhooks`;
const secret = `whsec_${Buffer.alloc(32, 'k').toString('base64')}`;
const example = readFileSync(`${folder}/example.json`, 'utf8');

test('the example is a body with a change', () => {
  const { type, timestamp, data } = JSON.parse(example);
  expect(eventChangeSchema.parse(data)).toEqual(data);
  expect({ type, timestamp }).toEqual({ type: data.type, timestamp: data.timestamp });
});

test.each([
  [process.execPath, 'receiver.js'],
  ['python3', 'receiver.py'],
])(
  '%s runs %s, which takes each change once, in order, and only with a signature',
  async (command, file) => {
    const port = await findFreePort();
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
    const receiver = spawn(command, [`${folder}/${file}`], { env });
    onTestFinished(() => void receiver.kill());
    let out = '';
    receiver.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    await once(receiver, 'spawn');

    async function send(body: string, options: { key?: string; ageSeconds?: number } = {}) {
      const { key = secret, ageSeconds = 0 } = options;
      const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': sign([key], { id: 'msg_1', timestamp, body }),
      };
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
      return response.status;
    }

    const older = JSON.stringify({
      ...JSON.parse(example),
      data: { ...JSON.parse(example).data, id: '9' },
    });
    await waitFor(async () => expect(await send(example)).toBe(204));
    expect(await send(example)).toBe(204);
    // Older than what came before, though its digits are greater.
    expect(await send(older)).toBe(204);
    expect(await send('{"type":"webhook.test","data":{}}')).toBe(204);
    expect(await send(example, { key: `whsec_${Buffer.alloc(32).toString('base64')}` })).toBe(400);
    expect(await send(example, { ageSeconds: 600 })).toBe(400);
    await waitFor(() =>
      expect(out).toBe('event.changed lantern-jam startDate endDate description\n'),
    );
  },
);
