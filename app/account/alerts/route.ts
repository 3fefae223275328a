import { createFormRoute } from '#lib/accounts/routes/account-route.ts';
import { redirectTo } from '#lib/accounts/routes/redirect-to.ts';
import { getServices } from '#lib/services.ts';

/** Chooses whether alerts come by mail: `POST /account/alerts`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createFormRoute(
  getServices,
  async ({ form, signedIn }, { database }) => {
    await database.members.setAlerts(signedIn.member.id, form.get('alerts') === 'yes');
    return redirectTo('/account?done=alerts-chosen');
  },
);
