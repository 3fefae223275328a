import { expect, test } from 'vitest';
import { createLeaseRound } from '#lib/spend/records/lease-round.ts';
import { createTestLog } from '../../../support/test-log.ts';

test('the log has the newest hash of the audit log', async () => {
  const log = createTestLog();
  const prune = async () => 0;
  const stores = {
    usage: { prune, pruneSessions: prune, closeExpired: prune },
    rejections: { prune },
    members: { eraseRemoved: async () => {} },
    auditLog: { prune, readHead: async () => ({ position: 7, hash: 'hash-of-7' }) },
    readClock: async () => Date.parse('2026-03-10T12:00:00Z'),
  };
  const nothing = async () => {};
  const round = createLeaseRound(
    { stores, usageDays: 400, log },
    { renew: nothing, adopt: nothing },
  );
  await round.run();
  await round.run();
  expect(log.lines).toMatchObject([{ level: 'info', fields: { position: 7, hash: 'hash-of-7' } }]);
});
