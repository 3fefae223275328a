import { createOpenRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** The provider sends the browser back here: `GET /sign-in/callback`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createOpenRoute(
  getServices,
  (request, { signIn }) => signIn.finish(request),
);
