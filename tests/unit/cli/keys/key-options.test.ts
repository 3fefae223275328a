import { expect, test } from 'vitest';
import { readDays, readKeyChanges, readKeyInput } from '#lib/cli/keys/key-options.ts';
import { keysCommand } from '#lib/cli/keys/keys.ts';
import { callCommand } from '../../../support/programs/call-command.ts';

test('every option of create is parsed', () => {
  const options = { name: 'a', expires: '2027-01-31', models: 'a, b/*', rpm: '5', tpd: '700' };
  expect(readKeyInput(options)).toEqual({
    name: 'a',
    models: ['a', 'b/*'],
    requestsPerMinute: 5,
    tokensPerDay: 700,
    budget: null,
    expiresAt: Date.parse('2027-02-01T00:00:00Z'),
  });
});

test('options that are left out are null', () => {
  expect(readKeyInput({ name: 'a' })).toEqual({
    name: 'a',
    models: null,
    requestsPerMinute: null,
    tokensPerDay: null,
    budget: null,
    expiresAt: null,
  });
  expect(readDays(undefined)).toBe(30);
});

test.for([
  ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00Z'],
  ['2027-01-31T12:00+01:00', '2027-01-31T11:00:00Z'],
  ['2028-02-29', '2028-03-01T00:00:00Z'],
] as const)('a key that expires on %s works until %s', ([expires, moment]) => {
  expect(readKeyInput({ name: 'a', expires }).expiresAt).toBe(Date.parse(moment));
});

test('a budget may contain blanks, and none removes it', () => {
  expect(readKeyInput({ name: 'a', budget: '5 USD/day, 9 tokens/month' })).toMatchObject({
    budget: { nanoUsdPerDay: 5e9, tokensPerMonth: 9 },
  });
  expect(readKeyChanges({ budget: 'none' })).toEqual({ budget: null });
  expect(() => readKeyInput({ name: 'a', budget: '5' })).toThrow(
    '"5" is not a budget. Write one like 5 USD/day',
  );
});

test('update has only what it is given, and words for the defaults', () => {
  expect(readKeyChanges({ rpm: '5' })).toEqual({ requestsPerMinute: 5 });
  const options = { name: 'b', rpm: 'default', tpd: 'default', models: 'all', expires: 'never' };
  expect(readKeyChanges(options)).toEqual({
    name: 'b',
    models: null,
    requestsPerMinute: null,
    tokensPerDay: null,
    expiresAt: null,
  });
});

const call = (given: string) =>
  callCommand(keysCommand, given.split(' ').filter(Boolean), { DATA_DIR: '/nowhere' });

test.for(['', 'help', '--help', '-h'])('`%s` prints the help', async (given) => {
  const { code, out, error } = await call(given);
  expect([code, error]).toEqual([0, '']);
  expect(out).toMatch(/^Keys of the AI proxy:\n\n {2}npm run keys -- create --name NAME \[/);
  expect(out).toContain('  --json     prints the result as JSON\n');
  expect(out).toMatch(/with the keys and members that have used most\.\n$/);
});

test.for([
  ['create', 'A key needs a name'],
  ['create --name a --tpd 1e6', '--tpd must be a whole number'],
  ['create --name a --tpd -5', 'Usage: npm run keys -- create'],
  ['create --name a --expires tomorrow', '--expires must be a date'],
  ['create --name a --expires 2027-02-30', '--expires must be a date'],
  ['create --name a --expires 2027-13-01', '--expires must be a date'],
  ['create --name a --expires 2027-01-31T25:00Z', '--expires must be a date'],
  ['create --name a --colour red', "Unknown option '--colour'. Usage"],
  ['create --name a more', 'Usage: npm run keys -- create'],
  ['revoke', 'Usage: npm run keys -- revoke'],
  ['rotate a b', 'Usage: npm run keys -- rotate'],
  ['list a b', 'Usage: npm run keys -- list'],
  ['list --page 0', '--page must be a whole number from 1 to 100000, not "0"'],
  ['list --sort price', '--sort must be one of newest, cost, used, unused, name.'],
  ['list --state on', '--state must be one of active, expired, revoked.'],
  ['usage a --days 0', '--days must be a whole number from 1'],
  ['usage a --days soon', '--days must be a whole number from 1 to 3660, not "soon"'],
  ['usage a --days default', '--days must be a whole number from 1 to 3660, not "default"'],
  ['usage a --days 1.5', '--days must be a whole number from 1 to 3660, not "1.5"'],
  ['usage a --days 3661', '--days must be a whole number from 1 to 3660, not "3661"'],
  ['update', 'Usage: npm run keys -- update'],
  ['update a', 'Say what to change. Usage: npm run keys -- update NAME-OR-ID [--name NAME]'],
  ['usage a b', 'Usage: npm run keys -- usage'],
  ['make', 'Unknown command "make". Commands: create, list, update, revoke, rotate, usage, help.'],
] as const)('`%s` is rejected in one line, before a database is opened', async ([given, line]) => {
  const { code, out, error } = await call(given);
  expect([code, out]).toEqual([1, '']);
  expect(error).toContain(line);
  expect(error).toMatch(/^[^\n]+\n$/);
});
