import { getServices } from '#lib/services.ts';
import { createMailRoute } from '#lib/site/notifications/mail/mail-route.ts';

/** Ends a subscription: `POST /subscribe/mail/stop`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createMailRoute(getServices, {
  POST: (forms, request) => forms.stop(request),
});
