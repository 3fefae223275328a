import { expect, test } from 'vitest';
import { claimCause, claimTurn } from '#lib/site/notifications/alerts/alert-store.ts';
import {
  findMentions,
  findMentionsOf,
  saveMentions,
  toMailedFacts,
} from '#lib/site/notifications/mail/digest/mention-store.ts';
import { pruneMail } from '#lib/site/notifications/mail/digest/run-digests.ts';
import {
  changeSubscription,
  claimDigest,
  clearRejections,
  confirmSubscription,
  countRejection,
  findConfirmation,
  hasSubscriptions,
  insertConfirmation,
  listDue,
  removeSubscription,
} from '#lib/site/notifications/mail/subscribing/subscription-store.ts';
import { createConnection } from '#lib/storage/connection.ts';
import { makeEvent } from '../../../../../support/factories/event-factory.ts';
import { describeEachDatabase } from '../../../../../support/servers/each-database.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const dayMs = 86_400_000;
const settings = { filters: '?format=online', weekday: 1, hour: 8, timeZone: 'UTC' };
const asked = { mailbox: 'hash', id: 'id1', address: 'ada@mail.example', settings };

describeEachDatabase((createTestDatabase) => {
  test('a subscription lives from its confirmation to its end, and leaves nothing', async () => {
    const { run, transact, close } = createConnection(await createTestDatabase());
    const insert = (at: number) => transact((db) => insertConfirmation(db, asked, at));
    expect([await insert(now), await insert(now + 1)]).toEqual([true, false]);
    const confirmation = await run((db) => findConfirmation(db, 'id1', now));
    if (confirmation === null) throw new Error('There is no confirmation.');
    const confirm = () => transact((db) => confirmSubscription(db, confirmation, now));
    const [first, second] = await Promise.all([confirm(), confirm()]);
    expect(first.id).toBe(second.id);
    expect(await run(hasSubscriptions)).toBe(true);

    const at = Date.parse('2026-11-30T08:00:00Z');
    const [due] = await run((db) => listDue(db, at, 10));
    if (due === undefined) throw new Error('Nothing is due.');
    const claim = () => transact((db) => claimDigest(db, due, at + 7 * dayMs));
    expect((await Promise.all([claim(), claim()])).sort()).toEqual([false, true]);
    const facts = toMailedFacts(makeEvent());
    const mention = { subscriptionId: 'id1', eventId: 'rec1', reasons: [], facts, moves: 0 };
    await transact((db) => saveMentions(db, [mention], now));
    await transact((db) => saveMentions(db, [{ ...mention, moves: 1 }], now));
    expect(await run((db) => findMentionsOf(db, ['rec1', 'rec2']))).toEqual([
      { ...mention, moves: 1 },
    ]);

    const changed = await run((db) =>
      changeSubscription(db, due, { ...settings, filters: '' }, at),
    );
    expect(changed).toMatchObject({ filters: '', since: at });
    expect(await transact((db) => countRejection(db, 'id1'))).toBe(false);
    expect(await transact((db) => clearRejections(db, 'id1'))).toBe(true);
    expect(await transact((db) => countRejection(db, 'id1'))).toBe(false);
    expect(await transact((db) => countRejection(db, 'id1'))).toBe(true);

    const remove = () => transact((db) => removeSubscription(db, 'id1', () => 'hash'));
    expect([await remove(), await remove()]).toEqual([true, false]);
    expect((await run((db) => findMentions(db, 'id1'))).size).toBe(0);
    expect(await run((db) => findConfirmation(db, 'id1', now))).toBeNull();
    expect(await transact((db) => clearRejections(db, 'id1'))).toBe(false);
    await close();
  });

  test('an address that nobody confirms is forgotten after two days', async () => {
    const { run, transact, close } = createConnection(await createTestDatabase());
    await transact((db) => insertConfirmation(db, asked, now));
    const read = () =>
      run((db) => db.selectFrom('marquee_mail_confirmations').select('settings').execute());
    await run((db) => pruneMail(db, now + 2 * dayMs));
    expect(await read()).toEqual([{ settings: null }]);
    await run((db) => pruneMail(db, now + 30 * dayMs));
    expect(await read()).toEqual([]);
    await close();
  });

  test('of several instances one tells a cause, and one has the turn', async () => {
    const { run, transact, close } = createConnection(await createTestDatabase());
    const claim = (period: string) =>
      transact((db) => claimCause(db, { cause: 'table unreadable', period }, now));
    const claims = await Promise.all([
      claim('2026-11-23'),
      claim('2026-11-23'),
      claim('2026-11-24'),
    ]);
    expect(claims.filter(Boolean)).toHaveLength(2);
    const turn = (period: string) =>
      transact((db) => claimTurn(db, { cause: 'turn', period }, now));
    expect([await turn('1'), await turn('1'), await turn('2')]).toEqual([true, false, true]);
    const rows = await run((db) =>
      db.selectFrom('marquee_alerts').select('period').where('cause', '=', 'turn').execute(),
    );
    expect(rows).toEqual([{ period: '2' }]);
    await close();
  });
});
