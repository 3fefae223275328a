import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import type { RepresentationStore } from '#lib/http/representations/representation-store.ts';
import { createResponse } from '#lib/http/response.ts';
import { toOEmbed, toOEmbedXml } from './oembed.ts';
import { parseOEmbedQuery } from './oembed-query.ts';

type Parts = Readonly<{ site: Site; events: EventsLoader; representations: RepresentationStore }>;

const contentTypes = { json: 'application/json', xml: 'text/xml' } as const;

/**
 * Describes how to embed a page of this site, as JSON or XML (https://oembed.com).
 * @throws HttpError 400 for an invalid query, 404 for a URL that cannot be embedded.
 */
export async function respondWithOEmbed(request: Request, parts: Parts): Promise<Response> {
  const { site, events } = parts;
  const query = parseOEmbedQuery(new URL(request.url).search);
  const { format } = query;
  if (format === 'other') return respondNotImplemented();
  const snapshot = await events.current();
  const response = toOEmbed(snapshot, query, site);
  return respondFromSnapshot(request, parts, snapshot, {
    key: `oembed ${format} ${JSON.stringify(response)}`,
    contentType: `${contentTypes[format]}; charset=utf-8`,
    write: () => (format === 'json' ? `${JSON.stringify(response)}\n` : toOEmbedXml(response)),
  });
}

// The protocol asks for a 501, which no endpoint of the API has.
function respondNotImplemented(): Response {
  return createResponse({
    status: 501,
    headers: [
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['Cache-Control', 'no-store'],
    ],
    body: 'This format is not supported. Use format=json or format=xml.\n',
  });
}
