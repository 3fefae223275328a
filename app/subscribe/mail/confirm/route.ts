import { getServices } from '#lib/services.ts';
import { createMailRoute } from '#lib/site/notifications/mail/mail-route.ts';

/** The button of the page that a confirmation leads to: `POST /subscribe/mail/confirm`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createMailRoute(getServices, {
  POST: (forms, request) => forms.confirm(request),
});
