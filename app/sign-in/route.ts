import { createOpenRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Sends the browser to the provider: `GET /sign-in`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createOpenRoute(
  getServices,
  (request, { signIn }) => signIn.start(request),
);
