import { redirectTo } from '#lib/accounts/routes/redirect-to.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import type { Mail } from '../notifications/mail/mail.ts';
import { notFound, type PagePlan, type PlanPage } from './plan-page.ts';

/** The pages that people see after a form, and those that the links in emails lead to. None is cached. */

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

/** What the pages at `/subscribe/mail/NAME` say. */
export const mailNotices = {
  sent: {
    title: 'Check your inbox',
    lead: 'We have sent you an email with a link. Open it within two days, and our emails begin.',
    text: 'No email? Check your spam folder. We write to an address once a day at most: if you have asked before today, only that email counts, with what you chose then. Its link leads to a page where you can change it.',
  },
  stopped: {
    title: 'No more emails',
    lead: 'You won’t get emails from us any more, and we have deleted everything we stored about you.',
    text: 'You can subscribe again whenever you like.',
  },
  expired: {
    title: 'This link has expired',
    lead: 'Links work for two days. After that, we delete your address.',
    text: 'Please subscribe again.',
  },
} as const;

type MailNotice = keyof typeof mailNotices;

export function isMailNotice(name: string): name is MailNotice {
  return Object.hasOwn(mailNotices, name);
}
