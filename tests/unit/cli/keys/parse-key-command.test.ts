import { expect, test } from 'vitest';
import { keysHelp, parseKeyCommand } from '#lib/cli/keys/parse-key-command.ts';

const read = (given: string) => parseKeyCommand(given.split(' ').filter((word) => word !== ''));

test('every option of create is parsed', () => {
  expect(
    read(
      'create --name a --expires 2027-01-31 --models a,b/* --rpm 5 --tpd 700 --quiet --create-database',
    ),
  ).toEqual({
    verb: 'create',
    isQuiet: true,
    mayCreateDatabase: true,
    isJson: false,
    input: {
      name: 'a',
      models: ['a', 'b/*'],
      requestsPerMinute: 5,
      tokensPerDay: 700,
      budget: null,
      expiresAt: Date.parse('2027-02-01T00:00:00Z'),
    },
  });
});

test('options that are left out are null', () => {
  expect(read('create --name=a')).toEqual({
    verb: 'create',
    isQuiet: false,
    mayCreateDatabase: false,
    isJson: false,
    input: {
      name: 'a',
      models: null,
      requestsPerMinute: null,
      tokensPerDay: null,
      budget: null,
      expiresAt: null,
    },
  });
  expect(read('usage a')).toEqual({ verb: 'usage', reference: 'a', days: 30, isJson: false });
  expect(read('usage')).toMatchObject({ verb: 'usage', reference: null });
});

test.for([
  ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00Z'],
  ['2027-01-31T12:00+01:00', '2027-01-31T11:00:00Z'],
  ['2028-02-29', '2028-03-01T00:00:00Z'],
] as const)('a key that expires on %s works until %s', ([given, moment]) => {
  expect(read(`create --name a --expires ${given}`)).toMatchObject({
    input: { expiresAt: Date.parse(moment) },
  });
});

test('a budget may contain blanks, and none removes it', () => {
  const budgeted = parseKeyCommand([
    'create',
    '--name',
    'a',
    '--budget',
    '5 USD/day, 9 tokens/month',
  ]);
  expect(budgeted).toMatchObject({ input: { budget: { nanoUsdPerDay: 5e9, tokensPerMonth: 9 } } });
  expect(read('update a --budget none')).toMatchObject({ changes: { budget: null } });
  expect(() => read('create --name a --budget 5')).toThrow(
    '"5" is not a budget. Write one like 5 USD/day',
  );
});

test('update has only what it is given, and words for the defaults', () => {
  expect(read('update a --rpm 5 --json')).toEqual({
    verb: 'update',
    reference: 'a',
    changes: { requestsPerMinute: 5 },
    isJson: true,
  });
  expect(
    read('update a --name b --rpm default --tpd default --models all --expires never'),
  ).toMatchObject({
    changes: {
      name: 'b',
      models: null,
      requestsPerMinute: null,
      tokensPerDay: null,
      expiresAt: null,
    },
  });
});

test.for([
  'create --name a --json',
  'list --json',
  'update a --tpd 1 --json',
  'revoke a --json',
  'rotate a --json',
  'usage --json',
])('`%s` prints JSON', (given) => {
  expect(read(given).isJson).toBe(true);
});

test.for(['', 'help', '--help', '-h'])('`%s` prints the help', (given) => {
  expect(read(given)).toEqual({ verb: 'help', isJson: false });
  expect(keysHelp).toContain('npm run keys -- create --name NAME');
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
  ['list all', 'Usage: npm run keys -- list'],
  ['usage a --days 0', '--days must be a whole number from 1'],
  ['usage a --days soon', '--days must be a whole number from 1 to 3660, not "soon"'],
  ['usage a --days default', '--days must be a whole number from 1 to 3660, not "default"'],
  ['usage a --days 1.5', '--days must be a whole number from 1 to 3660, not "1.5"'],
  ['usage a --days 3661', '--days must be a whole number from 1 to 3660, not "3661"'],
  ['update', 'Usage: npm run keys -- update'],
  ['update a', 'Say what to change. Usage'],
  ['usage a b', 'Usage: npm run keys -- usage'],
  ['make', 'Unknown command "make"'],
] as const)('`%s` is rejected in one line', ([given, line]) => {
  expect(() => read(given)).toThrow(line);
  expect(() => read(given)).toThrow(/^[^\n]+$/);
});
