import { redirectTo } from '#lib/accounts/routes/redirect-to.ts';
import { getServices } from '#lib/services.ts';
import { createMailRoute } from '#lib/site/notifications/mail/mail-route.ts';

/** Asks for a digest by mail: `POST /subscribe/mail`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createMailRoute(getServices, {
  GET: () => redirectTo('/subscribe#mail'),
  POST: (forms, request) => forms.request(request),
});
