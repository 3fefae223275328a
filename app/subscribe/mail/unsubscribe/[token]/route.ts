import { redirectTo } from '#lib/accounts/routes/redirect-to.ts';
import { getServices } from '#lib/services.ts';
import { createMailRoute } from '#lib/site/notifications/mail/mail-route.ts';

/** The `List-Unsubscribe` of a mail: a POST ends the subscription (RFC 8058), a GET leads to its page. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createMailRoute(getServices, {
  GET: (_, __, { token }: { token: string }) =>
    redirectTo(`/subscribe/mail/settings/${encodeURIComponent(token)}`),
  POST: (forms, _, { token }) => forms.unsubscribe(token),
});
