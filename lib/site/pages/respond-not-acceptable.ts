import {
  listDirectoryRepresentations,
  listEventRepresentations,
  listTextRepresentations,
  type PageRepresentation,
} from '#lib/events/view/link-headers.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { toApiErrorBody } from '#lib/http/errors/api-error.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { acceptQuality } from '#lib/http/representations/accept.ts';
import { createResponse } from '#lib/http/response.ts';
import { toNotAcceptableMarkdown } from '#lib/representations/markdown/pages/errors.ts';
import { parsePagePath } from './classify-url.ts';

type NotAcceptableOptions = Readonly<{
  path: string;
  accept: string | null;
  site: Site;
}>;

const message = 'The Accept header rules out every representation of this page.';

/**
 * Lists the representations of a page for a client that accepts none of them (RFC 9110 §15.5.7): as JSON if
 * it accepts that, else as Markdown.
 */
export function respondNotAcceptable({ path, accept, site }: NotAcceptableOptions): Response {
  const representations = listRepresentations(path, site);
  const isJson = acceptQuality(accept, 'application/json') > 0;
  return createResponse({
    status: 406,
    headers: [
      ['Content-Type', `${isJson ? 'application/json' : 'text/markdown'}; charset=utf-8`],
      ['Cache-Control', 'no-store'],
      ['Vary', 'Accept'],
      ['Link', toLinks(representations)],
    ],
    body: isJson
      ? toJson(representations, site)
      : toNotAcceptableMarkdown({ site, message, representations }),
  });
}

// Without checking that the event exists: its URLs give a 404 if not.
function listRepresentations(path: string, site: Site): PageRepresentation[] {
  const page = parsePagePath(path);
  if (page.kind === 'directory') return listDirectoryRepresentations(site);
  if (page.kind === 'event') return listEventRepresentations(site, page.slug);
  return listTextRepresentations(site, path);
}

function toJson(representations: readonly PageRepresentation[], site: Site): string {
  const hint =
    'Send `Accept: text/html` or `text/markdown`, or request the URL of a representation.';
  const error = createApiError('not_acceptable', { message, hint });
  return `${JSON.stringify({ ...toApiErrorBody(error, site.url), representations })}\n`;
}

function toLinks(representations: readonly PageRepresentation[]): string {
  return representations
    .map(({ type, url }) => `<${url}>; rel="alternate"; type="${type}"`)
    .join(', ');
}
