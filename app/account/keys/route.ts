import { createMemberKey } from '#lib/accounts/account/key-actions.ts';
import { changeWithinMs, createFormRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Creates a key: `POST /account/keys`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createFormRoute(
  getServices,
  (input) => createMemberKey(input, Date.now()),
  { signedInWithinMs: () => changeWithinMs },
);
