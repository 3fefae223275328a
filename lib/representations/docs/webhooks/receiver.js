import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
/** The newest change of each event; a real receiver stores it with the event. */
const newest = new Map();

const server = createServer(async (request, response) => {
  const body = await text(request);
  let message;
  try {
    message = webhook.verify(body, request.headers);
  } catch {
    return response.writeHead(400).end();
  }
  const { type, data } = message;
  // A change may come twice, or after a later one.
  if (BigInt(data.id ?? 0) > BigInt(newest.get(data.eventId) ?? 0)) {
    newest.set(data.eventId, data.id);
    console.log(type, data.slug, data.fields.join(' '));
  }
  response.writeHead(204).end();
});
server.listen(process.env.PORT ?? 8080);
