import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a server by `--import`: its clock starts at CLOCK_START, and goes to what is posted to CLOCK_PORT. */
const realNow = Date.now;
let aheadMs = Date.parse(process.env.CLOCK_START ?? '') - realNow();

Date.now = () => realNow() + aheadMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, parts, newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [Date.now()] : parts, newTarget),
});

const server = createServer(async (request, response) => {
  const text = (await request.toArray()).join('');
  aheadMs = Date.parse(text) - realNow();
  response.end();
});

if (isMainThread) server.listen(Number(process.env.CLOCK_PORT), '127.0.0.1').unref();
