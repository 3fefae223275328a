import {
  listDirectoryRepresentations,
  listEventRepresentations,
  listTextRepresentations,
  type PageRepresentation,
} from '#lib/events/view/representations.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { acceptQuality } from '#lib/http/accept.ts';
import { toApiErrorBody } from '#lib/http/api-error.ts';
import { HttpError } from '#lib/http/errors.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { prepareResponse } from '#lib/http/prepared-response.ts';
import { toNotAcceptableMarkdown } from '#lib/markdown/pages/errors.ts';
import { toPageAddress } from './page-address.ts';

type Asked = Readonly<{
  /** The page's path, a `.md` not among it. */
  path: string;
  accept: string | null;
}>;

const message = 'The Accept header rules out every representation of this page.';

/**
 * Answers whoever takes none of a page's forms with a list of them (RFC 9110 §15.5.7): as JSON where that
 * is taken, else as Markdown, which everyone can read.
 */
export function respondNotAcceptable({ path, accept }: Asked, site: Site): Response {
  const forms = listForms(path, site);
  const isJson = acceptQuality(accept, 'application/json') > 0;
  const body = Buffer.from(
    isJson
      ? toJson(forms, site)
      : toNotAcceptableMarkdown({ site, message, representations: forms }),
  );
  const headers = [
    ...['Content-Type', `${isJson ? 'application/json' : 'text/markdown'}; charset=utf-8`],
    ...['Cache-Control', 'no-store', 'Vary', 'Accept', 'Link', toLinks(forms)],
    ...['Content-Length', String(body.length)],
  ];
  return prepareResponse({ status: 406, headers, body });
}

// Whether an event of that name exists is not looked up: its addresses say so themselves.
function listForms(path: string, site: Site): PageRepresentation[] {
  const address = toPageAddress(path.split('/').filter(Boolean).map(decodePathSegment));
  if (address.kind === 'directory') return listDirectoryRepresentations(site);
  if (address.kind === 'event') return listEventRepresentations(site, address.slug);
  return listTextRepresentations(site, path);
}

function toJson(forms: readonly PageRepresentation[], site: Site): string {
  const hint =
    'Send `Accept: text/html` or `text/markdown`, or request the URL of a representation.';
  const error = new HttpError('not_acceptable', { message, hint });
  return `${JSON.stringify({ ...toApiErrorBody(error, site.url), forms })}\n`;
}

function toLinks(forms: readonly PageRepresentation[]): string {
  return forms.map(({ type, url }) => `<${url}>; rel="alternate"; type="${type}"`).join(', ');
}
