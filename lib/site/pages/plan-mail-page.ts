import { redirectTo } from '#lib/accounts/routes/redirect-to.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import type { Mail } from '../notifications/mail/mail.ts';
import { isMailNotice } from '../notifications/mail/mail-notices.ts';
import { notFound, type PagePlan, type PlanPage } from './plan-page.ts';

/** The pages that people see after a form, and those that the links in mails lead to. None is cached. */

export const planMailNotice: PlanPage = ({ url, name }, { mail }) =>
  mail === null || !isMailNotice(name) ? notFound : toPrivatePlan(url);

/** The form once more, after something in it was wrong. */
export const planMailAgain: PlanPage = ({ url }, { mail }) =>
  mail === null ? notFound : toPrivatePlan(url);

export const planMailConfirmation = planLink(
  (mail, token) => mail.findConfirmation(token),
  '/subscribe/mail/expired',
);

export const planMailSettings = planLink(
  (mail, token) => mail.findSubscription(token),
  '/subscribe/mail/stopped',
);

type FindByToken = (
  mail: Pick<Mail, 'findConfirmation' | 'findSubscription'>,
  token: string,
) => Promise<object | null | undefined>;

/** @param endedPath where a link leads that worked once. */
function planLink(find: FindByToken, endedPath: string): PlanPage {
  return async ({ url, name }, { mail }) => {
    if (mail === null) return notFound;
    try {
      const found = await find(mail, name);
      if (found === undefined) return notFound;
      if (found === null) return { kind: 'redirect', response: redirectTo(endedPath) };
      return toPrivatePlan(url);
    } catch (error) {
      if (!isStorageError(error)) throw error;
      return { kind: 'error', url: '/unavailable', status: 503 };
    }
  };
}

function toPrivatePlan(url: string): PagePlan {
  return { kind: 'private', url, status: 200, session: null };
}
