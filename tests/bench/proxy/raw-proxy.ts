import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/**
 * The baselines: node:http alone in front of UPSTREAM. MODE=pipe passes bytes on; MODE=parse parses and
 * writes every event. Neither checks keys or limits.
 */
const upstream = new URL(process.env.UPSTREAM ?? '');
const isParsing = process.env.MODE === 'parse';
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const server = createServer((incoming, outgoing) => {
  const { host: _, ...headers } = incoming.headers;
  const options = {
    agent,
    headers,
    method: incoming.method,
    path: incoming.url?.replace(/^\/proxy\/v1/, upstream.pathname),
    host: upstream.hostname,
    port: upstream.port,
  };
  const upstreamRequest = request(options, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
    if (isParsing && isStream) pipeParsed(response, outgoing);
    else response.pipe(outgoing);
  });
  upstreamRequest.on('error', () => outgoing.destroy());
  outgoing.on('close', () => upstreamRequest.destroy());
  incoming.pipe(upstreamRequest);
});

function pipeParsed(response: IncomingMessage, outgoing: ServerResponse): void {
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const frames = (rest + text).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1] ?? '';
      const event = /^event: .*\n/.exec(frame)?.[0] ?? '';
      const value = data === '[DONE]' ? data : JSON.stringify(JSON.parse(data));
      outgoing.write(`${event}data: ${value}\n\n`);
    }
  });
  response.on('end', () => outgoing.end());
}

server.listen(Number(process.env.PORT), '127.0.0.1');
