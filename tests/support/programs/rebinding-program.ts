import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { webhooksCommand } from '#lib/cli/webhooks/webhooks.ts';
import { createAttachmentFetcher } from '#lib/site/media/pictures/fetch-attachment.ts';
import { callCommand } from './call-command.ts';
import { publicAddress, rebindingName } from './rebinding-network.ts';

/**
 * Runs in a network of its own (`rebinding-network.ts`): the name server there gives a name another address each
 * time. Prints what sending to that name led to, and which addresses were connected to.
 */
const [folder = ''] = process.argv.slice(2);
const loopback = '127.0.0.1';
const certificate = {
  key: readFileSync(join(folder, 'privkey.pem')),
  cert: readFileSync(join(folder, 'fullchain.pem')),
};

let answers: string[] = [];
let requests: string[] = [];

const nameServer = createSocket('udp4', (query, { port, address }) => {
  nameServer.send(toDnsResponse(query), port, address);
});
await once(nameServer.bind(53, loopback), 'listening');
for (const address of [publicAddress, loopback]) {
  const server = createServer(certificate, (request, response) => {
    requests.push(`${address} ${request.method}`);
    response.end();
  });
  await once(server.listen(443, address), 'listening');
}

const settings = { DATA_DIR: join(folder, 'data'), SITE_URL: 'https://events.example' };
const url = `https://${rebindingName}/hook`;
const run = (...words: string[]) => callCommand(webhooksCommand, [...words, '--json'], settings);
const steps: Record<string, unknown> = {};

/** Addresses that the name has in turn; the last one stays. */
async function step(name: string, addresses: readonly string[], work: () => Promise<unknown>) {
  answers = [...addresses];
  requests = [];
  steps[name] = { result: await work(), requests };
}

let id = '';
await step('created', [publicAddress, loopback], async () => {
  const { out, code } = await run('create', '--url', url, '--create-database');
  id = JSON.parse(out).id;
  return code;
});
const send = async () => JSON.parse((await run('test', id)).out).result;
await step('rebound after the check', [publicAddress, loopback], send);
await step('rebound before it', [loopback], send);
await step('refused', [loopback], async () => (await run('create', '--url', url)).code);
// A picture’s host is one that the operator has listed, by its certificate.
await step('picture', [loopback], async () => {
  const fetcher = createAttachmentFetcher({ hosts: ['other.example'], apiUrl: settings.SITE_URL });
  const fetched = await fetcher.fetch('https://other.example/poster.png');
  await fetcher.close();
  return fetched.ok || fetched.reason;
});
// What a client does that looks, and then connects.
await step('fetch', [publicAddress, loopback], async () => {
  const { address } = await lookup(rebindingName);
  await fetch(url, { method: 'POST' });
  return address;
});
process.stdout.write(JSON.stringify(steps));
process.exit();

/** To a query of one question: an address of IPv4, and none of IPv6. */
function toDnsResponse(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const isIpv4 = query.readUInt16BE(end - 4) === 1;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(isIpv4 ? 1 : 0, 6);
  head.fill(0, 8, 12);
  if (!isIpv4) return head;
  const [address = loopback] = answers.length > 1 ? answers.splice(0, 1) : answers;
  // A pointer to the name, an address of the internet, for no second, four bytes.
  const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
  return Buffer.concat([head, answer, Buffer.from(address.split('.').map(Number))]);
}
