import { createFormRoute } from '#lib/accounts/routes/account-route.ts';
import { redirectTo } from '#lib/accounts/routes/redirect-to.ts';
import { getServices } from '#lib/services.ts';

/** Ends one of the member's sessions: `POST /account/sessions/{id}`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createFormRoute<
  ReturnType<typeof getServices>,
  { id: string }
>(getServices, async ({ signedIn, members, params }) => {
  await members.account.endSession(signedIn.member, params.id);
  return redirectTo('/account?done=session-ended');
});
