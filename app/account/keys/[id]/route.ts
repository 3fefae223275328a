import { changeMemberKey } from '#lib/accounts/account/key-actions.ts';
import { changeWithinMs, createFormRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Renames, rotates or revokes a key, as `action` says: `POST /account/keys/{id}`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createFormRoute(
  getServices,
  changeMemberKey,
  {
    signedInWithinMs: (form) =>
      form.get('action') === 'rotate' ? changeWithinMs : Number.POSITIVE_INFINITY,
  },
);
