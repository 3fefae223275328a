import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { Site } from '#lib/events/view/site-urls.ts';
import { readClientHost } from '#lib/http/client-host.ts';
import { createApiError } from '#lib/http/errors/errors.ts';

/**
 * Protects servers on a loopback or private network from DNS rebinding, as Streamable HTTP requires: a page of
 * another site that points its own name at this server still sends that name as Host and Origin. Both must name
 * the host of `SITE_URL` or this machine.
 * @throws HttpError 403
 */
export function checkOrigin(request: Request, site: Site): void {
  const { hostname } = new URL(site.url);
  const host = validateHostHeader(readClientHost(request), [
    hostname,
    ...localhostAllowedHostnames(),
  ]);
  if (!host.ok) {
    throw createApiError('forbidden', {
      message: `The Host header does not name this server, which is ${hostname}.`,
      hint: 'If a reverse proxy changes the header, let it pass on the one it received.',
    });
  }
  const origin = validateOriginHeader(request.headers.get('origin'), [
    hostname,
    ...localhostAllowedOrigins(),
  ]);
  if (!origin.ok) {
    throw createApiError('forbidden', {
      message: 'Pages of other origins cannot use this endpoint.',
      hint: `They can use the JSON API: ${site.url}/docs/api`,
    });
  }
}
