import { expect, test } from 'vitest';
import { keysHelp, parseKeyCommand } from '#lib/cli/parse-key-command.ts';

const read = (given: string) => parseKeyCommand(given.split(' ').filter((word) => word !== ''));

test('every option of create is read', () => {
  expect(
    read('create --name a --expires 2027-01-31 --models a,b/* --rpm 5 --tpd 700 --quiet'),
  ).toEqual({
    verb: 'create',
    isQuiet: true,
    wish: {
      name: 'a',
      models: ['a', 'b/*'],
      requestsPerMinute: 5,
      tokensPerDay: 700,
      expiresAt: Date.parse('2027-02-01T00:00:00Z'),
    },
  });
});

test('what is left out is left to the settings', () => {
  expect(read('create --name=a')).toEqual({
    verb: 'create',
    isQuiet: false,
    wish: {
      name: 'a',
      models: null,
      requestsPerMinute: null,
      tokensPerDay: null,
      expiresAt: null,
    },
  });
  expect(read('usage a')).toEqual({ verb: 'usage', reference: 'a', days: 30 });
});

test.for([
  ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00Z'],
  ['2027-01-31T12:00+01:00', '2027-01-31T11:00:00Z'],
  ['2028-02-29', '2028-03-01T00:00:00Z'],
] as const)('a key that expires on %s works until %s', ([given, moment]) => {
  expect(read(`create --name a --expires ${given}`)).toMatchObject({
    wish: { expiresAt: Date.parse(moment) },
  });
});

test.for(['', 'help', '--help', '-h'])('`%s` asks for help', (given) => {
  expect(read(given)).toEqual({ verb: 'help' });
  expect(keysHelp).toContain('npm run keys -- create --name NAME');
});

test.for([
  ['create', 'A key needs a name'],
  ['create --name a --tpd 1e6', '--tpd takes a whole number'],
  ['create --name a --tpd -5', 'It goes like this: npm run keys -- create'],
  ['create --name a --expires tomorrow', '--expires takes a day'],
  ['create --name a --expires 2027-02-30', '--expires takes a day'],
  ['create --name a --expires 2027-13-01', '--expires takes a day'],
  ['create --name a --expires 2027-01-31T25:00Z', '--expires takes a day'],
  ['create --name a --colour red', "Unknown option '--colour'. It goes like this"],
  ['create --name a more', 'It goes like this: npm run keys -- create'],
  ['revoke', 'It goes like this: npm run keys -- revoke'],
  ['rotate a b', 'It goes like this: npm run keys -- rotate'],
  ['list all', 'It goes like this: npm run keys -- list'],
  ['usage a --days 0', '--days takes a whole number from 1'],
  ['usage a --days soon', '--days takes a whole number'],
  ['make', 'There is no command "make"'],
] as const)('`%s` is refused in one line', ([given, line]) => {
  expect(() => read(given)).toThrow(line);
  expect(() => read(given)).toThrow(/^[^\n]+$/);
});
