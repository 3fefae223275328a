import type { Cookies } from '#lib/accounts/sign-in/cookies.ts';
import { filterNames } from '#lib/events/query/events-query.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';
import { type MailSettings, readMailAddress, readMailSettings } from './mail-settings.ts';

/** A form that was sent with something wrong, for the page that shows it again. */
export type RefusedMailForm = Readonly<{
  /** As it was typed. */
  email: string;
  /** What is wrong has its default. */
  settings: MailSettings;
  /** Null if nothing is wrong. */
  problem: Readonly<{ field: string; problem: string }> | null;
}>;

const cookieName = 'marquee-mail-form';
const cookieSeconds = 600;
/** Browsers take cookies of 4,096 bytes. */
const typedLengthMax = 3_500;
const fields: readonly string[] = ['email', 'weekday', 'hour', 'timeZone', ...filterNames];

/** Carries what was typed to the page that shows it again, in a cookie: an address belongs in no URL and no log. */
export function writeTyped(cookies: Cookies, form: URLSearchParams): string {
  const typed = new URLSearchParams([...form].filter(([name]) => fields.includes(name))).toString();
  return cookies.write(cookieName, typed.length > typedLengthMax ? '' : typed, cookieSeconds);
}

/** Of a form that is right now. */
export function clearTyped(cookies: Cookies): string {
  return cookies.clear(cookieName);
}

/** @param header of the request's cookies. */
export function readRefused(
  cookies: Cookies,
  header: string | null,
  defaultZone: string,
): RefusedMailForm {
  const form = new URLSearchParams(cookies.read(header, cookieName) ?? '');
  const email = form.get('email') ?? '';
  const ofAddress = findProblem(() => readMailAddress(form));
  let ofSettings: RefusedMailForm['problem'] = null;
  // Each turn removes a field that cannot be read; defaults can.
  for (;;) {
    const problem = findProblem(() => readMailSettings(form, defaultZone));
    if (problem === null) break;
    ofSettings ??= problem;
    const isFilter = problem.field === 'filters';
    for (const name of isFilter ? filterNames : [problem.field]) form.delete(name);
  }
  const settings = readMailSettings(form, defaultZone);
  return { email, settings, problem: ofAddress ?? ofSettings };
}

/** The problem that something throws about a field of the form. */
export function toFieldProblem(thrown: unknown): RefusedMailForm['problem'] {
  if (!isHttpError(thrown) || thrown.param === null) return null;
  return { field: thrown.param, problem: thrown.message };
}

function findProblem(read: () => unknown): RefusedMailForm['problem'] {
  try {
    read();
    return null;
  } catch (error) {
    const problem = toFieldProblem(error);
    if (problem === null) throw error;
    return problem;
  }
}
