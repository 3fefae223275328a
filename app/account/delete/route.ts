import { createFormRoute, deleteWithinMs } from '#lib/accounts/routes/account-route.ts';
import { redirectTo } from '#lib/accounts/routes/redirect-to.ts';
import { getServices } from '#lib/services.ts';

/** Deletes the member and revokes all keys: `POST /account/delete`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createFormRoute(
  getServices,
  async ({ form, signedIn, members }) => {
    if (form.get('confirm') !== 'yes') return redirectTo('/account?problem=confirm');
    await members.account.remove(signedIn.member);
    return members.signIn.signOut(signedIn);
  },
  { signedInWithinMs: () => deleteWithinMs },
);
