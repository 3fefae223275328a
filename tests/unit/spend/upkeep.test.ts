import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { loadConfig } from '#lib/config/config.ts';
import { createServices } from '#lib/services.ts';
import { createUpkeep } from '#lib/spend/upkeep.ts';
import { makeMember } from '../../support/factories/member-factory.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { readAuditLog } from '../../support/read-audit-log.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { createTestLog } from '../../support/test-log.ts';
import { waitFor } from '../../support/wait-for.ts';

afterEach(() => void vi.useRealTimers());

/** Stores in which nothing is old, at noon; `prune` is that of the usage. */
function makeStores(prune: (beforeDay: string) => Promise<number> = async () => 0) {
  const none = async () => 0;
  return {
    usage: { prune, pruneSessions: none, sumUpRecentCosts: async () => {} },
    rejections: { prune: none },
    members: { eraseRemoved: async () => {} },
    changes: { prune: none },
    auditLog: { prune: none, readHead: async () => ({ position: 7, hash: 'hash-of-7' }) },
    readClock: async () => Date.parse('2026-03-10T12:00:00Z'),
  };
}

// ASVS 16.4.3
test('the log has the newest hash of the audit log, once a day', async () => {
  const log = createTestLog();
  const upkeep = createUpkeep({ stores: makeStores(), usageDays: 400, log });
  await upkeep.run();
  await upkeep.run();
  expect(log.lines).toMatchObject([{ level: 'info', fields: { position: 7, hash: 'hash-of-7' } }]);
  upkeep.close();
});

test('while old records are deleted, requests have their turns, and a server that stops does not wait', async () => {
  let turns = 0;
  const turn = () => {
    turns += 1;
    timer = setImmediate(turn);
  };
  let timer = setImmediate(turn);
  onTestFinished(() => clearImmediate(timer));
  const turnsAt: number[] = [];
  const deleteOne = async () => {
    turnsAt.push(turns);
    if (turnsAt.length === 40) upkeep.close();
    return 1;
  };
  let uptimeMs = 0;
  const upkeep = createUpkeep({
    stores: makeStores(deleteOne),
    usageDays: 400,
    log: createTestLog(),
    uptime: () => uptimeMs,
  });
  await upkeep.run();
  uptimeMs = 600_000;
  await upkeep.run();
  expect(turnsAt).toHaveLength(40);
  expect(new Set(turnsAt).size).toBe(40);
});

test('nothing is deleted by a clock that was just set, as when a machine starts', async () => {
  const prunedBefore: string[] = [];
  let [now, uptimeMs] = [Date.parse('2026-03-10T12:00:00Z'), 0];
  const stores = makeStores(async (beforeDay) => {
    prunedBefore.push(beforeDay);
    return 0;
  });
  const upkeep = createUpkeep({
    stores: { ...stores, readClock: async () => now },
    usageDays: 10,
    log: createTestLog(),
    uptime: () => uptimeMs,
  });
  const runFor = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await upkeep.run();
      now += 60_000;
      uptimeMs += 60_000;
    }
  };
  await runFor(10);
  expect(prunedBefore).toEqual([]);
  await runFor(90);
  expect(prunedBefore).toEqual(['2026-02-28', '2026-02-28']);
  now = Date.parse('2030-01-01T00:00:00Z');
  await runFor(9);
  now = Date.parse('2026-03-10T14:00:00Z');
  await runFor(10);
  expect(prunedBefore).toHaveLength(2);
  await runFor(60);
  expect(prunedBefore).toEqual(['2026-02-28', '2026-02-28', '2026-02-28']);
  upkeep.close();
});

test('a site without an AI upstream erases deleted members, and notes the audit log', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const [clock, log] = [createFakeClock('2026-03-10T12:00:00Z'), createTestLog()];
  const config = loadConfig({ DATA_DIR: makeTestFolder() });
  const { database, close } = createServices(config, { now: clock.now, log });
  const { id } = await database.members.save(makeMember());
  await database.members.remove(id, 'hash of identity', id);
  clock.moveTo('2026-04-01T00:00:00Z');
  vi.advanceTimersByTime(60_000);
  await waitFor(() => expect(log.text()).toContain('newest entry of the audit log'));
  expect(await readAuditLog(database)).toMatchObject([
    { action: 'member.deleted', target: 'deleted' },
  ]);
  await close();
});
