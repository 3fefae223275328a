import { Agent, createServer, request } from 'node:http';
import { setPriority } from 'node:os';

/**
 * Sends bodies of 4 MB to TARGET with KEY as fast as it can, on 8 connections, and reads the responses. Its own
 * server on PORT says how many there were, by status.
 */
const target = process.env.TARGET ?? '';
const headers = {
  'Content-Type': 'application/json',
  Authorization: `Bearer ${process.env.KEY}`,
};
const content = 'x '.repeat(2 * 1024 * 1024 - 100);
const body = JSON.stringify({ model: 'bench/json', messages: [{ role: 'user', content }] });
const bytes = Buffer.from(body);
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const counts: Record<string, number> = {};

function send(): void {
  let status = 'none';
  const outgoing = request(target, { agent, method: 'POST', headers }, (response) => {
    status = String(response.statusCode);
    response.resume();
  });
  outgoing.on('error', () => {});
  outgoing.on('close', () => {
    counts[status] = (counts[status] ?? 0) + 1;
    setImmediate(send);
  });
  outgoing.end(bytes);
}

// The client whose waits are measured shares the processor.
setPriority(19);
createServer((_, response) => response.end(JSON.stringify(counts))).listen(process.env.PORT);
for (let connection = 0; connection < 8; connection++) send();
