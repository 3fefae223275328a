import { createServer } from 'node:http';

/**
 * The baseline: node:http with prebuilt buffers. `/bytes/N` responds with N bytes (a query is ignored),
 * `/304` with 304. Listens on PORT.
 */
const bodies = new Map<string, Buffer>();

const server = createServer((request, response) => {
  const path = request.url?.split('?')[0] ?? '';
  if (path === '/304') {
    response.writeHead(304, { ETag: '"raw"' });
    response.end();
    return;
  }
  let body = bodies.get(path);
  if (body === undefined) {
    body = Buffer.alloc(Number(path.slice('/bytes/'.length)) || 0, 'a');
    bodies.set(path, body);
  }
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': body.length });
  response.end(body);
});

server.listen(Number(process.env.PORT), '127.0.0.1');
