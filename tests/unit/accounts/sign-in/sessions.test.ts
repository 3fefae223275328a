import { describe, expect, test } from 'vitest';
import { createCookies } from '#lib/accounts/sign-in/cookies.ts';
import { createSessions } from '#lib/accounts/sign-in/sessions.ts';
import { parseAccessRules } from '#lib/config/setting-schemas.ts';
import { makeMember } from '../../../support/factories/member-factory.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';

const dayMs = 86_400_000;
const headersOf = (setCookie: string) =>
  new Headers({ cookie: `theme=dark; ${setCookie.split(';')[0]}` });

describeEachDatabase((createTestDatabase) => {
  async function openSessions(allowed = '*', admins = 'robin@makers.example') {
    const options = await createTestDatabase();
    const database = await openTestDatabase(options);
    const clock = createFakeClock();
    const toSessions = ({ sessions: store }: typeof database) =>
      createSessions({
        store,
        cookies: createCookies('https://events.example'),
        rules: {
          allowed: parseAccessRules(allowed) ?? [],
          admins: parseAccessRules(admins) ?? [],
        },
        now: clock.now,
      });
    const save = (overrides = {}) =>
      database.members.save(makeMember({ confirmedAt: clock.now(), ...overrides }));
    return {
      database,
      clock,
      save,
      sessions: toSessions(database),
      async openInstance() {
        const another = await openTestDatabase(options);
        return { sessions: toSessions(another), close: another.close };
      },
    };
  }

  // ASVS 3.3.1, 3.3.2, 3.3.3, 3.3.4, 7.2.2, 7.2.3
  test('a session is found by its cookie alone, which is random and stored as a hash', async () => {
    const { sessions, save, database } = await openSessions();
    const member = await save();
    const cookie = await sessions.begin(member, new Headers({ 'user-agent': firefox }));
    expect(cookie).toMatch(
      /^__Host-marquee-session=[\w-]{43}; Max-Age=5184000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const found = await sessions.find(headersOf(cookie));
    expect(found).toMatchObject({ member: { id: member.id }, isAdmin: false });
    expect(found?.session.device).toBe('Firefox on Linux');
    const [stored] = await database.sessions.list(member.id);
    expect(JSON.stringify(stored)).not.toContain(cookie.slice(23, 66));
    expect(await sessions.find(new Headers())).toBeNull();
    expect(await sessions.find(headersOf(`__Host-marquee-session=${'x'.repeat(43)}`))).toBeNull();
    expect(await sessions.find(headersOf(`__Host-marquee-session=${'x'.repeat(8000)}`))).toBeNull();
    expect(await sessions.begin(member, new Headers())).not.toBe(cookie);
  });

  // ASVS 7.3.1, 7.3.2
  test('a session ends after 14 days without a request, and after 60 days in any case', async () => {
    const { clock, sessions, save } = await openSessions();
    const cookie = headersOf(await sessions.begin(await save(), new Headers()));
    for (let day = 0; day < 59; day += 1) {
      clock.move(dayMs);
      await save();
      expect(await sessions.find(cookie)).not.toBeNull();
    }
    clock.move(dayMs);
    await save();
    expect(await sessions.find(cookie)).toBeNull();
    const idle = headersOf(await sessions.begin(await save(), new Headers()));
    clock.move(14 * dayMs);
    await save();
    expect(await sessions.find(idle)).toBeNull();
  });

  // ASVS 7.6.1
  test('after a day the provider has to confirm who the member is', async () => {
    const { clock, sessions, save } = await openSessions();
    const cookie = headersOf(await sessions.begin(await save(), new Headers()));
    clock.move(dayMs - 1);
    expect(await sessions.find(cookie)).not.toBeNull();
    clock.move(1);
    expect(await sessions.find(cookie)).toBeNull();
    await save();
    expect(await sessions.find(cookie)).not.toBeNull();
  });

  // ASVS 7.2.4
  test('signing in again ends the former session of the browser', async () => {
    const { sessions, save } = await openSessions();
    const member = await save();
    const first = headersOf(await sessions.begin(member, new Headers()));
    const second = headersOf(await sessions.begin(member, first));
    expect(await sessions.find(first)).toBeNull();
    expect(await sessions.find(second)).not.toBeNull();
  });

  test('whom the rules no longer admit, and who is disabled, is signed out at once', async () => {
    const { database, sessions, save } = await openSessions('makers.example');
    const member = await save();
    const cookie = headersOf(await sessions.begin(member, new Headers()));
    await save({ email: null });
    expect(await sessions.find(cookie)).toBeNull();
    await save();
    expect(await sessions.find(cookie)).not.toBeNull();
    expect(await database.members.setDisabled(member.id, true)).toBe(true);
    expect(await sessions.find(cookie)).toBeNull();
    expect(await database.sessions.list(member.id)).toEqual([]);
  });

  // ASVS 7.4.2
  test('a member who is removed is signed out at once, in every instance', async () => {
    const { database, sessions, save, openInstance } = await openSessions();
    const member = await save();
    const cookie = headersOf(await sessions.begin(member, new Headers()));
    const another = await openInstance();
    expect(await another.sessions.find(cookie)).not.toBeNull();
    await database.members.remove(member.id, 'hash of identity');
    expect(await another.sessions.find(cookie)).toBeNull();
    await another.close();
  });

  // ASVS 7.2.1
  test('without the database nobody counts as signed in', async () => {
    const { sessions, save, openInstance } = await openSessions();
    const cookie = headersOf(await sessions.begin(await save(), new Headers()));
    const another = await openInstance();
    await another.close();
    await expect(another.sessions.find(cookie)).rejects.toThrow();
  });
});

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('cookies over http on this machine', () => {
  test('have a plain name and are not Secure', () => {
    const { write } = createCookies('http://localhost:3000');
    expect(write('a', 'b', 60)).toBe('a=b; Max-Age=60; Path=/; HttpOnly; SameSite=Lax');
  });
});
