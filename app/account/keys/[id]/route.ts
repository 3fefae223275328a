import { createFormRoute } from '#lib/members/account-route.ts';
import { changeMemberKey } from '#lib/members/key-actions.ts';
import { getServices } from '#lib/services.ts';

/** Renames, rotates or revokes a key, as `action` says: `POST /account/keys/{id}`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createFormRoute(
  getServices,
  changeMemberKey,
);
