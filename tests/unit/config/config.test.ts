import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConfigError, type Environment, loadConfig } from '#lib/config/config.ts';
import { settings } from '#lib/config/settings.ts';
import { anyText } from '../../support/any-text.ts';

test('an empty environment gives the defaults', () => {
  expect(loadConfig({})).toEqual({
    port: 3000,
    site: { name: 'Marquee', url: 'http://localhost:3000' },
    airtable: {
      apiUrl: 'https://api.airtable.com',
      token: null,
      baseId: null,
      table: 'Events',
      attachmentHosts: ['dl.airtable.com', 'v5.airtableusercontent.com'],
    },
    events: { timeZone: 'UTC', cacheSeconds: 240 },
    dataDir: './data',
  });
});

test('every setting is read', () => {
  expect(
    loadConfig({
      PORT: '8080',
      SITE_URL: 'https://events.example/',
      SITE_NAME: 'Shed Nights',
      AIRTABLE_API_URL: 'http://127.0.0.1:4000/mirror/',
      AIRTABLE_TOKEN: 'patAbc.0123',
      AIRTABLE_BASE_ID: 'appA1b2C3d4E5f6G7',
      AIRTABLE_TABLE: 'All events',
      AIRTABLE_ATTACHMENT_HOSTS: 'Files.example, 127.0.0.1:4001',
      EVENTS_TIME_ZONE: 'Europe/Lisbon',
      EVENTS_CACHE_SECONDS: '60',
      DATA_DIR: '/var/lib/marquee',
    }),
  ).toEqual({
    port: 8080,
    site: { name: 'Shed Nights', url: 'https://events.example' },
    airtable: {
      apiUrl: 'http://127.0.0.1:4000/mirror',
      token: 'patAbc.0123',
      baseId: 'appA1b2C3d4E5f6G7',
      table: 'All events',
      attachmentHosts: ['files.example', '127.0.0.1:4001'],
    },
    events: { timeZone: 'Europe/Lisbon', cacheSeconds: 60 },
    dataDir: '/var/lib/marquee',
  });
});

test('an empty variable and one of blanks count as unset, blanks around a value do not count', () => {
  const blank = Object.fromEntries(Object.keys(settings).map((name) => [name, '  ']));
  expect(loadConfig(blank)).toEqual(loadConfig({}));
  expect(loadConfig({ PORT: ' 80 ' }).port).toBe(80);
});

test('the address of the site follows the port', () => {
  expect(loadConfig({ PORT: '4000' }).site.url).toBe('http://localhost:4000');
});

test.for([
  ['PORT', '65536', '65535'],
  ['PORT', '-1', '65535'],
  ['PORT', '80a', '65535'],
  ['PORT', '1e3', '65535'],
  ['SITE_URL', 'events.example', 'https://'],
  ['AIRTABLE_ATTACHMENT_HOSTS', 'https://files.example', 'dl.airtable.com'],
  ['AIRTABLE_ATTACHMENT_HOSTS', 'files.example,,b.example', 'dl.airtable.com'],
  ['AIRTABLE_ATTACHMENT_HOSTS', '*.example', 'dl.airtable.com'],
  ['AIRTABLE_ATTACHMENT_HOSTS', 'files.example/path', 'dl.airtable.com'],
  ['DATA_DIR', 'a\0b', './data'],
  ['SITE_URL', 'ftp://events.example', 'https://'],
  ['SITE_URL', 'https://events.example/path', 'https://'],
  ['SITE_URL', 'https://events.example/?a', 'https://'],
  ['SITE_URL', 'https://user:word@events.example', 'https://'],
  ['SITE_URL', 'https://:word@events.example', 'https://'],
  ['SITE_URL', 'javascript:alert(1)', 'https://'],
  ['SITE_NAME', 'x'.repeat(101), '100'],
  ['SITE_NAME', 'two\nlines', '100'],
  ['AIRTABLE_API_URL', 'api.airtable.com', 'https://'],
  ['AIRTABLE_API_URL', 'file:///etc/passwd', 'https://'],
  ['AIRTABLE_API_URL', 'https://:word@api.example', 'https://'],
  ['AIRTABLE_BASE_ID', 'app/../x', 'app'],
  ['AIRTABLE_TABLE', 'x'.repeat(201), 'table'],
  ['EVENTS_TIME_ZONE', 'Mars/Olympus', 'Europe/Lisbon'],
  ['EVENTS_TIME_ZONE', 'Lisbon', 'Europe/Lisbon'],
  ['EVENTS_CACHE_SECONDS', '0', '1 to 240'],
  ['EVENTS_CACHE_SECONDS', '241', '1 to 240'],
  ['EVENTS_CACHE_SECONDS', '1.5', '1 to 240'],
] as const)('%s=%j is refused in one line with what it may hold', ([name, value, mayHold]) => {
  const { message } = refusalOf({ [name]: value });
  expect(message).toMatch(new RegExp(`^${name} `));
  expect(message).toContain(mayHold);
  expect(message).toContain(JSON.stringify(value).slice(1, 20).split(':')[0]);
  expect(message).not.toMatch(/[\n\r\u2028\u2029]/);
});

test('a secret that is wrong is named and not shown', () => {
  const { message } = refusalOf({ AIRTABLE_TOKEN: 'canary with blanks' });
  expect(message).toContain('AIRTABLE_TOKEN');
  expect(message).not.toContain('canary');
});

test('a password in an address is not shown', () => {
  for (const name of ['SITE_URL', 'AIRTABLE_API_URL']) {
    expect(refusalOf({ [name]: 'https://user:canary@events.example' }).message).not.toContain(
      'canary',
    );
  }
});

test('a token that was put into the wrong variable is not shown', () => {
  const token = `patAbCdEfGhIjKlMn.${'0123456789abcdef'.repeat(4)}`;
  expect(refusalOf({ AIRTABLE_BASE_ID: token }).message).not.toContain(token.slice(18, 34));
  expect(refusalOf({ EVENTS_TIME_ZONE: token }).message).not.toContain(token.slice(18, 34));
});

test('a very long value is cut in the message', () => {
  expect(refusalOf({ EVENTS_TIME_ZONE: 'x'.repeat(100_000) }).message.length).toBeLessThan(500);
});

test('a config is frozen through and through', () => {
  const config = loadConfig({});
  for (const part of [config, config.site, config.airtable, config.events]) {
    expect(Object.isFrozen(part)).toBe(true);
  }
});

test('no environment gives anything but a config or one line about one of its variables', () => {
  const name = fc.constantFrom(...Object.keys(settings), 'PATH', '__proto__');
  const value = fc.oneof(
    anyText(),
    fc.webUrl({ withQueryParameters: true }),
    fc.integer().map(String),
    fc.constantFrom(
      'UTC',
      '+05:30',
      '-00',
      'http://',
      'https://@',
      '0',
      '٣',
      '\u2028',
      '\0',
      undefined,
    ),
  );
  fc.assert(
    fc.property(fc.dictionary(name, value), (environment) => {
      try {
        const config = loadConfig(environment);
        expect(config.events.cacheSeconds).toBeGreaterThanOrEqual(1);
        expect(config.events.cacheSeconds).toBeLessThanOrEqual(240);
        expect(new URL(config.site.url).origin).toBe(config.site.url);
        expect(new URL(config.airtable.apiUrl).password).toBe('');
        expect(config.airtable.token ?? 'x').toMatch(/^[!-~]+$/);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const named = Object.keys(settings).find((one) => error.message.startsWith(`${one} `));
        expect(named).toBeDefined();
        expect(error.message).not.toMatch(/[\n\r\u2028\u2029]/);
      }
    }),
    { numRuns: 1000 },
  );
});

function refusalOf(environment: Environment): ConfigError {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('it was taken');
}
