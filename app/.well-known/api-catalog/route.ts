import { toLink } from '#lib/events/view/link-headers.ts';
import { pageUrl } from '#lib/events/view/site-urls.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { apiCatalogType, toApiCatalog } from '#lib/representations/discovery.ts';
import { getServices } from '#lib/services.ts';
import { respondWithText } from '#lib/site/pages/respond-with-text.ts';

/** The APIs of the site: `GET /.well-known/api-catalog` (RFC 9727). */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) => {
    const { site } = services;
    return respondWithText(request, services, {
      key: 'api-catalog',
      contentType: apiCatalogType,
      headers: () => [
        ['Link', toLink(pageUrl(site, 'apiCatalog'), 'api-catalog', 'application/linkset+json')],
      ],
      write: () => toApiCatalog(site),
    });
  },
);
