import { createServer } from 'node:http';

/**
 * The yardstick: node:http with a buffer made beforehand. `/bytes/N` answers with N bytes, `/304` with
 * a 304. Listens on PORT.
 */
const bodies = new Map<string, Buffer>();

const server = createServer((request, response) => {
  const url = request.url ?? '';
  if (url === '/304') {
    response.writeHead(304, { ETag: '"raw"' });
    response.end();
    return;
  }
  let body = bodies.get(url);
  if (body === undefined) {
    body = Buffer.alloc(Number(url.slice('/bytes/'.length)), 'a');
    bodies.set(url, body);
  }
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': body.length });
  response.end(body);
});

server.listen(Number(process.env.PORT), '127.0.0.1');
