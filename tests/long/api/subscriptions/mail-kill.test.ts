import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readMail } from '#lib/demo/mail/read-mail.ts';
import { random } from '../../../support/seed.ts';
import { findToken } from '../../../support/servers/mail-site.ts';
import {
  siteUrl,
  startMarquee,
  startTable,
  toDay,
  toTableSettings,
} from '../../../support/servers/marquee-server.ts';
import { endOldLeases, setUpPostgres } from '../../../support/servers/postgres-server.ts';
import { type ReceivedMail, startSmtpSink } from '../../../support/servers/smtp-sink.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';

/** Two instances send mails, and one of them is killed. */

const postgres = setUpPostgres();

const toAddress = ({ to }: ReceivedMail) => to.join();
const people = Array.from({ length: 120 }, (_, index) => `person${index}@mail.example`);
/** Mails that an instance sends at a time. */
const parallel = 4;

test('no mail is lost with a killed instance, only those it was sending come twice, and none comes after unsubscribing', async () => {
  const databaseUrl = await postgres.createDatabase();
  await using killedSink = await startSmtpSink();
  await using sink = await startSmtpSink();
  const day = toDay(Date.now() + 86_400_000);
  const jam = makeRecord({ Name: 'Lantern Jam', 'Start Date': day, 'End Date': day });
  await using table = await startTable({ records: [jam] });
  const settings = {
    ...toTableSettings(table),
    DATABASE_URL: databaseUrl,
    KEY_PEPPER: 'a-pepper-of-32-characters-or-more',
    MAIL_FROM: 'events@marquee.example',
    TRUST_PROXY: '1',
  };
  const killed = await startMarquee({ ...settings, SMTP_URL: killedSink.url });
  await using other = await startMarquee({ ...settings, SMTP_URL: sink.url });
  const post = async (server: { url: string }, path: string, form: Record<string, string>) => {
    for (;;) {
      const response = await fetch(server.url + path, {
        method: 'POST',
        body: new URLSearchParams(form),
        redirect: 'manual',
        headers: { 'x-forwarded-for': `10.1.0.${1 + Math.floor(random() * 250)}` },
      });
      // A busy instance asks to come back.
      if (response.status !== 503) return response;
      await delay(200);
    }
  };
  const unsubscribe = async (token: string) => {
    const form = { 'List-Unsubscribe': 'One-Click' };
    const response = await post(other, `/subscribe/mail/unsubscribe/${token}`, form);
    expect(response.status).toBe(200);
  };

  killedSink.holdAfter(8);
  const asked = await Promise.all(
    people.map((email, index) => post(index % 2 ? killed : other, '/subscribe/mail', { email })),
  );
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([303]));
  await expect.poll(() => killedSink.held.length).toBe(parallel);
  await killed.kill();
  const inItsHands = killedSink.held.map(toAddress);
  await expect
    .poll(() => new Set([...killedSink.mails, ...sink.mails].map(toAddress)).size)
    .toBe(people.length);

  // Those who got theirs confirm; some stop at once, some while their digest waits to be sent.
  const confirmations = [...killedSink.mails, ...sink.mails].filter(
    (mail) => !inItsHands.includes(toAddress(mail)),
  );
  const readers = new Map<string, string>();
  for (const mail of confirmations.slice(0, 40)) {
    const token = findToken(readMail(mail.raw).text, 'confirm');
    const response = await post(other, '/subscribe/mail/confirm', { token });
    readers.set(toAddress(mail), findToken(response.headers.get('location') ?? '', 'settings'));
  }
  const stopped = [...readers].slice(0, 10);
  for (const [, token] of stopped) await unsubscribe(token);
  const digests = () => sink.mails.filter(({ raw }) => readMail(raw).subject === 'Lantern Jam');
  sink.holdAfter(sink.mails.length);
  // Whatever day and hour it is, the one after this comes later than the event of tomorrow.
  const weekday = new Date(Date.now() + 3 * 86_400_000).getUTCDay();
  const isDue = `update marquee_mail_subscriptions set digest_at = 0, weekday = ${weekday}`;
  await postgres.query(databaseUrl, isDue);
  await expect.poll(() => digests().length).toBe(parallel);
  const beingSent = digests().map(toAddress);
  const waiting = [...readers].slice(10).filter(([to]) => !beingSent.includes(to));
  stopped.push(...waiting.slice(0, 10));
  for (const [, token] of waiting.slice(0, 10)) await unsubscribe(token);
  sink.release();
  await expect.poll(() => digests().length).toBe(20);
  const [link = ''] = digests().map(({ raw }) => readMail(raw).headers.get('list-unsubscribe'));
  expect(link).toContain(`${siteUrl}/subscribe/mail/unsubscribe/`);

  const twice = () => {
    const all = Map.groupBy([...killedSink.mails, ...sink.mails], ({ raw }) => {
      const { headers } = readMail(raw);
      return `${headers.get('to')} ${headers.get('message-id')}`;
    });
    return [...all.values()]
      .filter(({ length }) => length > 1)
      .map(([header]) => header && toAddress(header));
  };
  const countAfterLeases = async () => {
    await endOldLeases(postgres, databaseUrl);
    return twice().length;
  };
  await expect.poll(countAfterLeases).toBe(inItsHands.length);
  expect(twice().sort()).toEqual(inItsHands.sort());
  expect(killedSink.mails.length + sink.mails.length).toBe(people.length + parallel + 20);
  const gone = new Set(stopped.map(([to]) => to));
  expect(gone.size).toBe(20);
  expect(digests().filter((mail) => gone.has(toAddress(mail)))).toEqual([]);
});
