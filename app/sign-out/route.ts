import { createFormRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Ends the session: `POST /sign-out`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createFormRoute(
  getServices,
  ({ signedIn, members }) => members.signIn.signOut(signedIn),
);
