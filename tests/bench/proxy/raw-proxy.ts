import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/**
 * The yardsticks: node:http alone in front of UPSTREAM. With MODE=pipe bytes pass as they come; with
 * MODE=parse every event is parsed and written anew. Neither checks keys, limits or counts anything.
 */
const upstream = new URL(process.env.UPSTREAM ?? '');
const isParsing = process.env.MODE === 'parse';
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const server = createServer((incoming, outgoing) => {
  const { method, headers, url } = incoming;
  const path = (url ?? '').replace(/^\/proxy\/v1/, upstream.pathname);
  const { host: _, ...passed } = headers;
  const options = {
    agent,
    method,
    path,
    headers: passed,
    host: upstream.hostname,
    port: upstream.port,
  };
  const call = request(options, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream') ?? false;
    if (isParsing && isStream) passParsed(answer, outgoing);
    else answer.pipe(outgoing);
  });
  call.on('error', () => outgoing.destroy());
  outgoing.on('close', () => call.destroy());
  incoming.pipe(call);
});

function passParsed(answer: IncomingMessage, outgoing: ServerResponse): void {
  let left = '';
  answer.setEncoding('utf8');
  answer.on('data', (text: string) => {
    const frames = (left + text).split('\n\n');
    left = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1] ?? '';
      const event = /^event: .*\n/.exec(frame)?.[0] ?? '';
      const value = data === '[DONE]' ? data : JSON.stringify(JSON.parse(data));
      outgoing.write(`${event}data: ${value}\n\n`);
    }
  });
  answer.on('end', () => outgoing.end());
}

server.listen(Number(process.env.PORT), '127.0.0.1');
