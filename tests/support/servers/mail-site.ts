import { expect, onTestFinished } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { readMail } from '#lib/demo/mail/read-mail.ts';
import type { ComparedEvent, RecordedChange } from '#lib/events/changes/change.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { enqueueMoves } from '#lib/site/notifications/mail/digest/enqueue-moves.ts';
import { createFakeClock } from '../fake-clock.ts';
import { makeRecord } from '../upstreams/upstream.ts';
import { waitFor } from '../wait-for.ts';
import { countDueDeliveries } from './count-due-deliveries.ts';
import { startMarqueeInProcess, startTable, toTableSettings } from './marquee-server.ts';
import { startSmtpSink } from './smtp-sink.ts';

type Cells = Readonly<Record<string, unknown>>;

type MailSiteOptions = Readonly<{
  sink?: Awaited<ReturnType<typeof startSmtpSink>>;
  settings?: Environment;
}>;

export const ada = 'ada@mail.example';
export const week = 7 * 86_400_000;

/** A site with a mail server, until the test has finished. */
export async function startMailSite(
  rows: () => readonly Cells[] = () => [],
  { sink, settings: more }: MailSiteOptions = {},
) {
  const clock = createFakeClock('2026-11-23T12:00:00Z');
  const smtp = sink ?? (await startSmtpSink());
  // A row that is read before its announcement counts as announced then; once somebody follows, that is at any time.
  const isThere = ({ 'Announced At': at }: Cells) =>
    at === undefined || Date.parse(String(at)) <= clock.now();
  const table = await startTable({ records: () => rows().filter(isThere).map(makeRecord) });
  const settings: Environment = {
    ...toTableSettings(table),
    EVENTS_TIME_ZONE: 'UTC',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'events@marquee.example',
    ...more,
  };
  const server = await startMarqueeInProcess(settings, { now: clock.now });
  onTestFinished(async () => {
    await server.stop();
    await Promise.all([table.close(), smtp.close()]);
  });
  const { mail, database } = server.services;
  if (mail === null) throw new Error('There is no mail.');
  const post = (path: string, form: Readonly<Record<string, string>>, headers = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
      headers,
    });
  /** Until none is due or being sent: its lease would end when the clock moves. */
  const waitForDeliveries = () =>
    waitFor(async () => expect(await countDueDeliveries(database, clock.now())).toBe(0));
  const waitForMails = async (count: number) => {
    await waitFor(() => expect(smtp.mails.length).toBeGreaterThanOrEqual(count));
    await waitForDeliveries();
    expect(smtp.mails).toHaveLength(count);
    return smtp.mails.map(({ to, raw }) => ({ to: to.join(), ...readMail(raw) }));
  };
  const confirm = async (form: Readonly<Record<string, string>> = {}) => {
    const before = smtp.mails.length;
    await post('/subscribe/mail', { email: ada, ...form });
    const [text = ''] = (await waitForMails(before + 1)).slice(-1).map((mail) => mail.text);
    const token = findToken(text, 'confirm');
    const response = await post('/subscribe/mail/confirm', { token });
    return findToken(response.headers.get('location') ?? '', 'settings');
  };
  const countRows = async () => {
    const tables = ['subscriptions', 'confirmations', 'mentions'] as const;
    const counts = tables.map((name) =>
      database.run(async (db) => {
        const rows = await db.selectFrom(`marquee_mail_${name}`).selectAll().execute();
        return rows.length;
      }),
    );
    return Promise.all(counts);
  };
  /** What the server does each half minute, after some time. @returns how many mails were sent */
  const letPass = async (ms: number) => {
    const before = smtp.mails.length;
    clock.move(ms);
    await mail.runDigests();
    // Its own timer may have found them first.
    await waitForDeliveries();
    return smtp.mails.length - before;
  };
  const find = async (name: string) => {
    const { events } = await server.services.events.current();
    const event = events.find((event) => event.name === name);
    if (event === undefined) throw new Error(`There is no event ${name}.`);
    return event;
  };
  const change = (before: MarqueeEvent, after: Partial<MarqueeEvent>) =>
    database.transact((db) => enqueueMoves(db, [toChange(before, after, clock.now())]));
  const parts = { server, clock, smtp, mail, post, waitForMails, confirm, countRows };
  return { ...parts, letPass, waitForDeliveries, find, change };
}

function toChange(before: ComparedEvent, after: Partial<MarqueeEvent>, at: number): RecordedChange {
  const timestamp = new Date(at).toISOString();
  const { id: eventId, slug } = before;
  return {
    change: {
      id: '1',
      type: 'event.changed',
      timestamp,
      eventId,
      slug,
      fields: [],
      old: {},
      new: {},
    },
    before,
    after: { ...before, ...after },
  };
}

/** The token of a link in a mail. */
export function findToken(text: string, page: string): string {
  return new RegExp(`/subscribe/mail/${page}/([\\w-]+)`).exec(text)?.[1] ?? '';
}
