import { createFormStyle } from '#lib/accounts/routes/account-route.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { createRoute, type Handle, type Route, type RouteServices } from '#lib/http/route.ts';
import type { Mail } from './mail.ts';
import type { MailForms } from './subscribing/mail-forms.ts';

type Services = RouteServices & Readonly<{ mail: Mail | null }>;

type MailHandle<P> = (
  forms: MailForms,
  request: Request,
  params: P,
) => Response | Promise<Response>;

const unreadable = 'We can’t store this at the moment. Please try again in a minute.';

/** A form of the pages about emails, or a link in an email. Without a mail server there is no such URL. */
export function createMailRoute<S extends Services, P>(
  getServices: () => S,
  handlers: Readonly<Partial<Record<'GET' | 'POST', MailHandle<P>>>>,
): Route<P> {
  const { GET, POST } = handlers;
  const toHandle =
    (handle: MailHandle<P>): Handle<S, P> =>
    (request, { mail }, params) =>
      handle(requireMail(mail).forms, request, params);
  return createRoute<S, P>(
    getServices,
    { ...(GET && { GET: toHandle(GET) }), ...(POST && { POST: toHandle(POST) }) },
    { ...createFormStyle(unreadable), check: (_, { mail }) => void requireMail(mail) },
  );
}

function requireMail(mail: Mail | null): Mail {
  if (mail !== null) return mail;
  throw createApiError('not_found', { message: 'This site sends no emails.' });
}
