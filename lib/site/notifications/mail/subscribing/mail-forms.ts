import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { readForm } from '#lib/accounts/routes/read-form.ts';
import { redirectTo } from '#lib/accounts/routes/redirect-to.ts';
import { type Cookies, createCookies } from '#lib/accounts/sign-in/cookies.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { filterNames } from '#lib/events/query/events-query.ts';
import { type EventsSnapshot, findEvent } from '#lib/events/source/snapshot.ts';
import { parseSharedIds } from '#lib/events/view/saved-events.ts';
import { createClientCounter } from '#lib/http/client-counter.ts';
import { createApiError, HttpError, isHttpError } from '#lib/http/errors/errors.ts';
import { createTextResponse } from '#lib/http/response.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import type { RunQuery, RunTransaction } from '#lib/storage/schema.ts';
import { toMailDelivery } from '../mail-delivery.ts';
import type { MailTokens } from '../mail-tokens.ts';
import { saveReminderList } from '../reminders/reminder-store.ts';
import { isOver } from '../reminders/reminder-times.ts';
import {
  isReminderForm,
  type MailSettings,
  type ReminderList,
  readMailAddress,
  readMailSettings,
  readReminderList,
  toMailbox,
} from './mail-settings.ts';
import {
  changeSubscription,
  confirmSubscription,
  findConfirmation,
  findSubscription,
  insertConfirmation,
  removeSubscription,
  type Subscription,
} from './subscription-store.ts';

/** What people do with forms and with the links in emails. */
export type MailForms = Readonly<{
  /** Sends a confirmation, whether the address is subscribed or not. */
  request: (request: Request) => Promise<Response>;
  /** The form that was just sent with something wrong. */
  readRefused: (cookieHeader: string | null) => RefusedMailForm;
  confirm: (request: Request) => Promise<Response>;
  change: (request: Request) => Promise<Response>;
  stop: (request: Request) => Promise<Response>;
  /** RFC 8058: the token alone authorizes, and no response leads elsewhere. */
  unsubscribe: (token: string) => Promise<Response>;
}>;

type MailFormsParts = Readonly<{
  site: Readonly<{ url: string }>;
  /** Of the site. */
  timeZone: string;
  loadEvents: () => Promise<EventsSnapshot>;
  trustedHops: number;
  run: RunQuery;
  transact: RunTransaction;
  readClock: () => Promise<number>;
  now: () => number;
  tokens: MailTokens;
  /** A keyed hash. */
  toHash: (text: string) => string;
  toMailboxHash: (address: string) => string;
}>;

/** Longer than the work takes: how long a response takes says nothing about an address. */
const responseMs = 300;
const requestsMax = 20;
const windowMs = 3_600_000;

export function createMailForms(parts: MailFormsParts): MailForms {
  const { site, timeZone, run, transact, readClock, tokens, toMailboxHash } = parts;
  const countClient = createClientCounter({ ...parts, windowMs, requestsMax, toError: tooMany });
  const cookies = createCookies(site.url);

  async function enqueueConfirmation(form: URLSearchParams): Promise<void> {
    const address = readMailAddress(form);
    const settings = readSettings(form, timeZone);
    if ('eventIds' in settings && (await findAhead(settings)).length === 0) {
      throw createApiError('bad_request', {
        message: 'These events are over, or not known here.',
        hint: 'Save one that is coming up.',
      });
    }
    const confirmation = { id: makeId(), mailbox: toMailboxHash(address), address, settings };
    const now = await readClock();
    await transact(async (db) => {
      if (!(await insertConfirmation(db, confirmation, now))) return;
      const payload = { type: 'confirmation' as const, id: confirmation.id };
      await enqueue(db, [toMailDelivery(payload)], now);
    });
  }

  /** The events of a list that are not over. */
  async function findAhead({ eventIds }: ReminderList): Promise<MarqueeEvent[]> {
    const snapshot = await parts.loadEvents();
    const events = eventIds.flatMap((id) => findEvent(snapshot, id) ?? []);
    return [...new Set(events)].filter((event) => !isOver(event));
  }

  /** Null if it has ended. @throws HttpError 404 for a token that is not ours. */
  async function findByToken(token: string | null): Promise<Subscription | null> {
    const id = requireId('manage', token);
    return run((db) => findSubscription(db, id));
  }

  function requireId(purpose: 'confirm' | 'manage', token: string | null): string {
    const id = tokens.read(purpose, token ?? '');
    if (id === null) throw createApiError('not_found', { message: brokenLink });
    return id;
  }

  const remove = (id: string) => transact((db) => removeSubscription(db, id, toMailboxHash));

  return {
    readRefused: (header) => readRefused(cookies, header, timeZone),
    async request(request) {
      requireOwnPage(request, site.url);
      const form = await readForm(request);
      countClient(request);
      try {
        await Promise.all([enqueueConfirmation(form), delay(responseMs)]);
      } catch (error) {
        if (toFieldProblem(error) === null) throw error;
        return redirectTo('/subscribe/mail/again', [writeTyped(cookies, form)]);
      }
      return redirectTo('/subscribe/mail/sent', [clearTyped(cookies)]);
    },
    async confirm(request) {
      const id = requireId('confirm', (await readForm(request)).get('token'));
      const now = await readClock();
      const confirmation = await run((db) => findConfirmation(db, id, now));
      if (confirmation === null) return redirectTo('/subscribe/mail/expired');
      const { settings, isConfirmed } = confirmation;
      const events = 'eventIds' in settings ? await findAhead(settings) : null;
      if (events?.length === 0) return redirectTo('/subscribe/mail/stopped');
      const subscription = await transact(async (db) => {
        const confirmed = await confirmSubscription(db, confirmation, now);
        if (events !== null && !isConfirmed) {
          await saveReminderList(db, confirmed.id, { events, now });
        }
        return confirmed;
      });
      return redirectTo(toSettingsPath(tokens, subscription, 'confirmed'));
    },
    async change(request) {
      const form = await readForm(request);
      const subscription = await findByToken(form.get('token'));
      if (subscription === null) return redirectTo('/subscribe/mail/stopped');
      const settings = readSettings(form, subscription.timeZone);
      const now = await readClock();
      if ('eventIds' in settings) {
        const events = await findAhead(settings);
        await transact((db) => saveReminderList(db, subscription.id, { events, now }));
        return redirectTo(toSettingsPath(tokens, subscription, 'changed'));
      }
      const changed = await run((db) => changeSubscription(db, subscription, settings, now));
      if (changed === null) return redirectTo('/subscribe/mail/stopped');
      return redirectTo(toSettingsPath(tokens, changed, 'changed'));
    },
    async stop(request) {
      await remove(requireId('manage', (await readForm(request)).get('token')));
      return redirectTo('/subscribe/mail/stopped');
    },
    async unsubscribe(token) {
      await remove(requireId('manage', token));
      return createTextResponse(
        200,
        'You are unsubscribed. We have deleted everything we stored about you.',
      );
    },
  };
}

function readSettings(form: URLSearchParams, timeZone: string): MailSettings | ReminderList {
  return isReminderForm(form) ? readReminderList(form) : readMailSettings(form, timeZone);
}

/** The hash under which a mailbox is known. */
export function toMailboxHasher(toHash: (text: string) => string): (address: string) => string {
  return (address) => toHash(`mailbox ${toMailbox(address)}`);
}

const brokenLink = 'This link is incomplete. Please open it from the email once more.';

function toSettingsPath(tokens: MailTokens, { id }: Subscription, done: string): string {
  return `/subscribe/mail/settings/${tokens.issue('manage', id)}?done=${done}`;
}

function makeId(): string {
  return randomBytes(8).toString('hex');
}

/** Another site must not make its visitors' browsers ask. What is no browser may. @throws HttpError 403 */
function requireOwnPage({ headers }: Request, siteUrl: string): void {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  const isOwn =
    (origin === null || origin === siteUrl) && site !== 'cross-site' && site !== 'same-site';
  if (isOwn) return;
  throw createApiError('forbidden', {
    message: 'This was sent from another site.',
    hint: `Open ${siteUrl}/subscribe and try it there.`,
  });
}

function tooMany(waitMs: number): HttpError {
  return new HttpError(429, {
    code: 'too_many_requests',
    message: 'There were too many subscriptions from your network.',
    hint: `Please try again in ${Math.ceil(waitMs / 60_000)} min.`,
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  });
}

/** A form that was sent with something wrong, for the page that shows it again. */
type RefusedMailForm = Readonly<{
  /** As it was typed. */
  email: string;
  /** What is wrong has its default. */
  settings: MailSettings;
  /** Of reminders; empty for a digest. */
  eventIds: readonly string[];
  /** Null if nothing is wrong. */
  problem: Readonly<{ field: string; problem: string }> | null;
}>;

const cookieName = 'marquee-mail-form';
const cookieSeconds = 600;
/** Browsers take cookies of 4,096 bytes. */
const typedLengthMax = 3_500;
const fields: readonly string[] = ['email', 'id', 'weekday', 'hour', 'timeZone', ...filterNames];

/** Carries what was typed to the page that shows it again, in a cookie: an address belongs in no URL and no log. */
function writeTyped(cookies: Cookies, form: URLSearchParams): string {
  const typed = new URLSearchParams([...form].filter(([name]) => fields.includes(name))).toString();
  return cookies.write(cookieName, typed.length > typedLengthMax ? '' : typed, cookieSeconds);
}

/** Of a form that is right now. */
function clearTyped(cookies: Cookies): string {
  return cookies.clear(cookieName);
}

/** @param header of the request's cookies. */
function readRefused(
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
  const eventIds = parseSharedIds(form.toString());
  return { email, settings, eventIds, problem: ofAddress ?? ofSettings };
}

/** The problem that something throws about a field of the form. */
function toFieldProblem(thrown: unknown): RefusedMailForm['problem'] {
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
