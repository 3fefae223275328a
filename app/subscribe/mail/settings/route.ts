import { getServices } from '#lib/services.ts';
import { createMailRoute } from '#lib/site/notifications/mail/mail-route.ts';

/** Changes which events somebody gets, and when: `POST /subscribe/mail/settings`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createMailRoute(getServices, {
  POST: (forms, request) => forms.change(request),
});
