import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noBudget } from '#lib/config/budget.ts';
import { type Environment, loadConfig, toWorkerEnvironment } from '#lib/config/config.ts';
import { ConfigError, findUnknownSettings } from '#lib/config/read-settings.ts';
import { settings } from '#lib/config/settings.ts';
import { anyText } from '../../support/factories/any-text.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

// ASVS 13.2.3
test('an empty environment gives the defaults', () => {
  expect(loadConfig({})).toEqual({
    host: null,
    port: 3000,
    site: {
      name: 'Marquee',
      url: 'http://localhost:3000',
      contentSignal: 'search=yes, ai-input=yes',
      about: null,
      contactUrl: null,
      submitUrl: null,
    },
    logLevel: 'info',
    logRequests: 'errors',
    trustProxy: 0,
    metricsHost: '127.0.0.1',
    metricsPort: null,
    tracesEndpoint: null,
    shutdownSeconds: 10,
    airtable: {
      apiUrl: 'https://api.airtable.com',
      token: null,
      baseId: null,
      table: 'Events',
      view: null,
      attachmentHosts: ['dl.airtable.com', 'v5.airtableusercontent.com'],
      columns: {},
      callsPerMonth: null,
    },
    events: { hookSecret: null, timeZone: 'UTC', cacheSeconds: 240, slackWorkspaceUrl: null },
    notice: null,
    notifications: { webhookHosts: [], budgetLevels: [], websubHub: null },
    storage: { dataDir: './data', databaseUrl: null, usageDays: 400 },
    mail: null,
    members: null,
    keys: {
      pepper: null,
      previousPepper: null,
      leakedKeysUrl: null,
      requestsPerMinute: 60,
      tokensPerDay: 1_000_000,
      // PROXY_TOKENS_PER_DAY binds a member as it binds a key.
      memberBudget: { ...noBudget, tokensPerDay: 1_000_000 },
      totalBudget: noBudget,
    },
    ai: {
      upstreamUrl: null,
      upstreamKey: null,
      responses: 'native',
      messages: 'chat',
      models: null,
      upstreams: null,
    },
    proxy: { bodyBytesMax: 33_554_432, bodiesBytesMax: null, timeoutSeconds: 120 },
    workers: 1,
    workerMemoryBytesMax: null,
    worker: { index: 0, count: 1 },
    runsTimers: true,
  });
});

test('as many workers as the machine has cores are “max”', () => {
  expect(loadConfig({ WORKERS: 'max' }).workers).toBe(availableParallelism());
});

test.for([
  [0, true],
  [1, false],
] as const)('worker %s of 3 runs what no request asks for: %s', ([index, runsTimers]) => {
  const worker = { index, count: 3 };
  expect(loadConfig(toWorkerEnvironment(worker))).toMatchObject({ worker, runsTimers });
});

/** Each setting with a value, its place in the config, and what is read unless it is the value. */
const places: readonly (readonly [name: string, value: string, place: string, read?: unknown])[] = [
  ['HOST', '::1', 'host'],
  ['PORT', '8080', 'port', 8080],
  ['WORKERS', '4', 'workers', 4],
  ['LOG_LEVEL', 'debug', 'logLevel'],
  ['LOG_REQUESTS', 'all', 'logRequests'],
  ['TRUST_PROXY', '2', 'trustProxy', 2],
  ['METRICS_HOST', '0.0.0.0', 'metricsHost'],
  ['METRICS_PORT', '9464', 'metricsPort', 9464],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://c.example:4318', 'tracesEndpoint'],
  ['SHUTDOWN_SECONDS', '25', 'shutdownSeconds', 25],
  ['WORKER_MEMORY_BYTES_MAX', '800000000', 'workerMemoryBytesMax', 800_000_000],
  ['SITE_URL', 'https://events.example/', 'site.url', 'https://events.example'],
  ['SITE_NAME', 'Shed Nights', 'site.name'],
  ['SITE_NOTICE', 'Down on Sunday', 'notice.text'],
  ['SITE_NOTICE_URL', 'https://status.events.example/', 'notice.url'],
  ['SITE_NOTICE_UNTIL', '2026-12-01T18:00', 'notice.until'],
  ['CONTENT_SIGNAL', 'AI-Train=no,search=yes', 'site.contentSignal', 'ai-train=no, search=yes'],
  ['SITE_ABOUT', 'Run by volunteers.', 'site.about'],
  ['SITE_CONTACT_URL', 'mailto:hello@events.example', 'site.contactUrl'],
  ['SITE_SUBMIT_URL', 'https://f.example/new?table=events', 'site.submitUrl'],
  [
    'AIRTABLE_API_URL',
    'http://127.0.0.1:4000/mirror/',
    'airtable.apiUrl',
    'http://127.0.0.1:4000/mirror',
  ],
  ['AIRTABLE_TOKEN', 'patAbc.0123', 'airtable.token'],
  ['AIRTABLE_BASE_ID', 'appA1b2C3d4E5f6G7', 'airtable.baseId'],
  ['AIRTABLE_TABLE', 'All events', 'airtable.table'],
  ['AIRTABLE_VIEW', 'Published', 'airtable.view'],
  [
    'AIRTABLE_ATTACHMENT_HOSTS',
    'Files.example, 127.0.0.1:4001',
    'airtable.attachmentHosts',
    ['files.example', '127.0.0.1:4001'],
  ],
  [
    'EVENTS_COLUMNS',
    'Name=Event title, Start Date = When, where and why',
    'airtable.columns',
    { Name: 'Event title', 'Start Date': 'When, where and why' },
  ],
  ['AIRTABLE_CALLS_PER_MONTH', '50000', 'airtable.callsPerMonth', 50_000],
  ['TABLE_HOOK_SECRET', 'table-hook-secret-0001', 'events.hookSecret'],
  ['EVENTS_TIME_ZONE', 'Europe/Lisbon', 'events.timeZone'],
  ['EVENTS_CACHE_SECONDS', '60', 'events.cacheSeconds', 60],
  [
    'SLACK_WORKSPACE_URL',
    'https://m.slack.example/',
    'events.slackWorkspaceUrl',
    'https://m.slack.example',
  ],
  [
    'WEBHOOK_HOSTS',
    'a.internal:8080, B.example',
    'notifications.webhookHosts',
    ['a.internal:8080', 'b.example'],
  ],
  ['WEBSUB_HUB', 'https://hub.example/?key=1', 'notifications.websubHub'],
  ['BUDGET_ALERTS', '100, 50%,80,50', 'notifications.budgetLevels', [50, 80, 100]],
  ['DATA_DIR', '/var/lib/marquee', 'storage.dataDir'],
  ['DATABASE_URL', 'postgres://m:word@db.example/keys?sslmode=require', 'storage.databaseUrl'],
  ['USAGE_DAYS', '90', 'storage.usageDays', 90],
  ['SMTP_URL', 'smtps://m:word@mail.example', 'mail.smtpUrl'],
  ['MAIL_FROM', 'events@mail.example', 'mail.from'],
  ['MAIL_SESSIONS', '20', 'mail.sessionsMax', 20],
  ['OIDC_ISSUER', 'https://id.example/realms/m', 'members.issuer'],
  ['OIDC_CLIENT_ID', 'marquee', 'members.clientId'],
  ['OIDC_CLIENT_SECRET', 'client-secret', 'members.clientSecret'],
  ['OIDC_SCOPES', 'openid email groups', 'members.scopes'],
  ['OIDC_NAME', 'Harbour Makers', 'members.providerName'],
  [
    'MEMBERS_ALLOWED',
    'Makers.example, groups=staff',
    'members.allowed',
    [
      { kind: 'domain', value: 'makers.example' },
      { kind: 'claim', name: 'groups', value: 'staff' },
    ],
  ],
  [
    'ADMINS',
    'ada@mail.example',
    'members.admins',
    [{ kind: 'address', value: 'ada@mail.example' }],
  ],
  ['MEMBERS_KEY_DAYS', '30', 'members.keyDays', 30],
  ['KEY_PEPPER', 'p'.repeat(32), 'keys.pepper'],
  ['KEY_PEPPER_PREVIOUS', 'o'.repeat(32), 'keys.previousPepper'],
  ['LEAKED_KEYS_URL', 'https://github.example/keys', 'keys.leakedKeysUrl'],
  ['PROXY_REQUESTS_PER_MINUTE', '600', 'keys.requestsPerMinute', 600],
  ['PROXY_TOKENS_PER_DAY', '999999999', 'keys.tokensPerDay', 999_999_999],
  ['MEMBER_BUDGET', '5 USD/day', 'keys.memberBudget', { ...noBudget, nanoUsdPerDay: 5e9 }],
  ['TOTAL_BUDGET', '7 tokens/month', 'keys.totalBudget', { ...noBudget, tokensPerMonth: 7 }],
  ['AI_UPSTREAM_URL', 'https://models.example/v1/', 'ai.upstreamUrl', 'https://models.example/v1'],
  ['AI_UPSTREAM_KEY', 'sk-0123456789', 'ai.upstreamKey'],
  ['AI_UPSTREAM_RESPONSES', 'chat', 'ai.responses'],
  ['AI_UPSTREAM_MESSAGES', 'native', 'ai.messages'],
  [
    'AI_MODELS',
    'lantern/wick-2, harbour/*,a:free',
    'ai.models',
    ['lantern/wick-2', 'harbour/*', 'a:free'],
  ],
  ['PROXY_BODY_BYTES_MAX', '1048576', 'proxy.bodyBytesMax', 1_048_576],
  ['PROXY_BODIES_BYTES_MAX', '4294967296', 'proxy.bodiesBytesMax', 4_294_967_296],
  ['PROXY_TIMEOUT_SECONDS', '30', 'proxy.timeoutSeconds', 30],
];

test('every setting is read', () => {
  const config = loadConfig(Object.fromEntries(places));
  for (const [name, value, place, read = value] of places) {
    expect(config, name).toHaveProperty(place, read);
  }
  // It excludes AI_UPSTREAM_URL.
  const tested = [...places.map(([name]) => name), 'AI_UPSTREAMS_FILE'];
  expect(tested.toSorted()).toEqual(Object.keys(settings).toSorted());
});

test('an empty or blank variable counts as unset, and values are trimmed', () => {
  const blank = Object.fromEntries(Object.keys(settings).map((name) => [name, '  ']));
  expect(loadConfig(blank)).toEqual(loadConfig({}));
  expect(loadConfig({ PORT: ' 80 ' }).port).toBe(80);
});

test('the default site URL has the port', () => {
  expect(loadConfig({ PORT: '4000' }).site.url).toBe('http://localhost:4000');
});

test.for([
  ['PORT', '65536', '65535'],
  ['PORT', '-1', '65535'],
  ['HOST', 'two words', '127.0.0.1'],
  ['LOG_LEVEL', 'loud', 'trace, debug'],
  ['SHUTDOWN_SECONDS', '3601', '0 to 3600'],
  ['WORKER_MEMORY_BYTES_MAX', '1000', '67108864'],
  ['WORKERS', '0', '1 to 64'],
  ['WORKERS', 'all', 'max'],
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
  ['SITE_ABOUT', 'x'.repeat(401), '400'],
  ['SITE_CONTACT_URL', 'javascript:alert(1)', 'mailto'],
  ['SITE_SUBMIT_URL', 'forms.example/new', 'http'],
  ['SITE_NOTICE', 'two\nlines', '300'],
  ['SITE_NOTICE_URL', 'javascript:alert(1)', 'mailto'],
  ['SITE_NOTICE_UNTIL', '2026-02-30', '2026-12-01'],
  ['SITE_NOTICE_UNTIL', '2026-12-01 18:00', '2026-12-01'],
  ['SITE_NOTICE_UNTIL', '2026-12-01T25:00', '2026-12-01'],
  ['SITE_NOTICE_UNTIL', 'tomorrow', '2026-12-01'],
  ['BUDGET_ALERTS', '0,80', '1 to 100'],
  ['BUDGET_ALERTS', '101', '1 to 100'],
  ['BUDGET_ALERTS', 'all', '1 to 100'],
  ['CONTENT_SIGNAL', 'search', 'search=yes'],
  ['CONTENT_SIGNAL', 'search=maybe', 'search=yes'],
  ['CONTENT_SIGNAL', 'search=yes,search=no', 'search=yes'],
  ['CONTENT_SIGNAL', 'none,search=yes', 'search=yes'],
  ['AIRTABLE_API_URL', 'api.airtable.com', 'https://'],
  ['AIRTABLE_API_URL', 'file:///etc/passwd', 'https://'],
  ['AIRTABLE_API_URL', 'https://:word@api.example', 'https://'],
  ['AIRTABLE_BASE_ID', 'app/../x', 'app'],
  ['AIRTABLE_TABLE', 'x'.repeat(201), 'table'],
  ['EVENTS_COLUMNS', 'Event title', 'Name=Event title'],
  ['EVENTS_COLUMNS', 'Name=', 'Name=Event title'],
  ['EVENTS_COLUMNS', 'Name=a, Name=b', 'Name=Event title'],
  ['EVENTS_TIME_ZONE', 'Mars/Olympus', 'Europe/Lisbon'],
  ['EVENTS_TIME_ZONE', 'Lisbon', 'Europe/Lisbon'],
  ['EVENTS_CACHE_SECONDS', '0', '1 to 240'],
  ['EVENTS_CACHE_SECONDS', '241', '1 to 240'],
  ['EVENTS_CACHE_SECONDS', '1.5', '1 to 240'],
  ['LEAKED_KEYS_URL', 'http://github.example/keys', 'https'],
  ['SLACK_WORKSPACE_URL', 'makers', 'https://makers.slack.com'],
  ['WEBHOOK_HOSTS', 'https://hooks.internal', 'hooks.internal:8080'],
  ['WEBSUB_HUB', 'hub.example', 'https://hub.example/'],
  ['SLACK_WORKSPACE_URL', 'https://makers.slack.com/archives/C1', 'https://makers.slack.com'],
  ['DATA_DIR', 'two\nlines', 'a folder'],
  ['USAGE_DAYS', '0', '1 to 36500'],
  ['PROXY_REQUESTS_PER_MINUTE', '0', '1 to 1,000,000'],
  ['PROXY_TOKENS_PER_DAY', '1e6', '1 to 999,999,999'],
  ['AI_UPSTREAM_URL', 'models.example/api/v1', 'https://'],
  ['AI_UPSTREAM_URL', 'https://:word@models.example', 'https://'],
  ['AI_UPSTREAM_URL', 'https://models.example/v1?key=x', 'https://'],
  ['AI_UPSTREAM_RESPONSES', 'yes', 'native or chat'],
  ['AI_UPSTREAM_MESSAGES', 'on', 'native or chat'],
  ['AI_MODELS', 'a,,b', 'commas'],
  ['AI_MODELS', 'a*', 'vendor/*'],
  ['AI_MODELS', '*/a', 'vendor/*'],
  ['AI_MODELS', '/*/*', 'vendor/*'],
  ['AI_MODELS', 'two words', 'vendor/*'],
  ['PROXY_BODY_BYTES_MAX', '1023', '1,024 to'],
  ['PROXY_BODIES_BYTES_MAX', '1023', '1,048,576 to'],
  ['PROXY_BODY_BYTES_MAX', '4MiB', 'bytes'],
  ['PROXY_TIMEOUT_SECONDS', '0', '1 to 3600'],
  ['PROXY_TIMEOUT_SECONDS', '3601', '1 to 3600'],
] as const)('%s=%j is rejected in one line with the expected values', ([name, value, expected]) => {
  const { message } = errorOf({ [name]: value });
  expect(message).toMatch(new RegExp(`^${name} `));
  expect(message).toContain(expected);
  expect(message).toContain(JSON.stringify(value).slice(1, 20).split(':')[0]);
  expect(message).not.toMatch(/[\n\r\u2028\u2029]/);
});

test.for([
  ['AIRTABLE_TOKEN', 'canary with blanks'],
  ['AI_UPSTREAM_KEY', 'canary with blanks'],
  ['DATABASE_URL', 'mysql://user:canary@db.example/keys'],
  ['DATABASE_URL', 'postgres:canary'],
  ['KEY_PEPPER', 'canary-too-short'],
  ['KEY_PEPPER_PREVIOUS', 'canary-too-short'],
] as const)('the invalid secret %s=%j is not shown', ([name, value]) => {
  const { message } = errorOf({ [name]: value });
  expect(message).toMatch(new RegExp(`^${name} is invalid`));
  expect(message).not.toContain('canary');
});

// ASVS 13.3.1
test('a secret is read from a file, without its last line break', () => {
  const file = join(makeTestFolder(), 'token');
  writeFileSync(file, 'patAbc.0123\n');
  expect(loadConfig({ AIRTABLE_TOKEN_FILE: file }).airtable.token).toBe('patAbc.0123');
});

test('a secret is not set twice', () => {
  const { message } = errorOf({ KEY_PEPPER: 'canary', KEY_PEPPER_FILE: '/run/secrets/pepper' });
  expect(message).toBe('KEY_PEPPER and KEY_PEPPER_FILE are both set. Remove one of them.');
});

test('a secret’s file that cannot be read is named', () => {
  const { message } = errorOf({ AI_UPSTREAM_KEY_FILE: '/nowhere/key' });
  expect(message).toBe(
    'AI_UPSTREAM_KEY_FILE is "/nowhere/key", a file that cannot be read (ENOENT).',
  );
});

test('an invalid secret in a file is not shown', () => {
  const file = join(makeTestFolder(), 'token');
  writeFileSync(file, 'canary with blanks');
  expect(errorOf({ AIRTABLE_TOKEN_FILE: file }).message).not.toContain('canary');
});

test.for([
  ['AIRTABLE_TOKN', 'AIRTABLE_TOKEN'],
  ['AIRTABLE_BASEID', 'AIRTABLE_BASE_ID'],
  ['AI_UPSTREAM_KEY_FIEL', 'AI_UPSTREAM_KEY_FILE'],
  ['DATABASE_UR', 'DATABASE_URL'],
] as const)('%s looks like a setting', ([name, meant]) => {
  expect(findUnknownSettings({ [name]: 'x', PATH: '/bin' })).toEqual([
    `${name} is not a setting. Did you mean ${meant}?`,
  ]);
});

test('a setting of an earlier version is named, with what is true instead', () => {
  expect(findUnknownSettings({ REDIS_URL: 'redis://canary@redis.example' })).toEqual([
    'REDIS_URL is not used any more: instances share everything through the database. Remove it.',
  ]);
});

test('variables of other programs and settings themselves are not named', () => {
  const others = ['PATH', 'HOME', 'LANG', 'SHELL', 'USER', 'TMPDIR', 'NODE_ENV', 'HOSTNAME', 'PWD'];
  const names = [...others, ...Object.keys(settings), 'KEY_PEPPER_FILE'];
  expect(findUnknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});

test('a shared database needs a shared pepper', () => {
  const { message } = errorOf({ DATABASE_URL: 'postgres://user:canary@db.example/keys' });
  expect(message).toMatch(/^KEY_PEPPER is not set, but with DATABASE_URL it must be/);
  expect(message).not.toContain('canary');
});

test('a password in a URL is not shown', () => {
  for (const name of ['SITE_URL', 'AIRTABLE_API_URL', 'AI_UPSTREAM_URL']) {
    expect(errorOf({ [name]: 'https://user:canary@events.example' }).message).not.toContain(
      'canary',
    );
  }
});

test('a token in the wrong variable is not shown', () => {
  const token = `patAbCdEfGhIjKlMn.${'0123456789abcdef'.repeat(4)}`;
  expect(errorOf({ AIRTABLE_BASE_ID: token }).message).not.toContain(token.slice(18, 34));
  expect(errorOf({ EVENTS_TIME_ZONE: token }).message).not.toContain(token.slice(18, 34));
  const key = 'sk-or-v1-0123456789abcdef';
  expect(errorOf({ AI_UPSTREAM_URL: key }).message).not.toContain('0123456789');
});

test('a very long value is cut in the message', () => {
  expect(errorOf({ EVENTS_TIME_ZONE: 'x'.repeat(100_000) }).message.length).toBeLessThan(500);
});

test('a config is deeply frozen', () => {
  const config = loadConfig({});
  for (const part of [config, config.site, config.airtable, config.events]) {
    expect(Object.isFrozen(part)).toBe(true);
  }
});

test('any environment gives a config, or one line that names a variable', () => {
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
        const named = Object.keys(settings).find((name) => error.message.startsWith(`${name} `));
        expect(named).toBeDefined();
        expect(error.message).not.toMatch(/[\n\r\u2028\u2029]/);
      }
    }),
    { numRuns: 300 },
  );
});

function errorOf(environment: Environment): ConfigError {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the config was accepted');
}

// ASVS 13.4.5
test('metrics are never on the public port', () => {
  expect(() => loadConfig({ PORT: '8080', METRICS_PORT: '8080' })).toThrow(
    'METRICS_PORT is 8080, the same as PORT, but metrics are not public. Choose another one.',
  );
});

test.each([
  [{ OIDC_CLIENT_ID: 'x' }, 'MEMBERS_ALLOWED is not set'],
  [{ MEMBERS_ALLOWED: '*' }, 'OIDC_CLIENT_ID is not set'],
  [{ OIDC_CLIENT_ID: 'x', MEMBERS_ALLOWED: '*', SITE_URL: 'http://events.example' }, 'https URL'],
])('a provider with %o alone stops the start', (settings, message) => {
  const environment = { OIDC_ISSUER: 'https://id.example', ...settings };
  expect(errorOf(environment).message).toContain(message);
});

test.each(['http://id.example', 'ftp://id.example', 'https://id.example?x', 'id.example'])(
  'the issuer %s is invalid: plain http is for this machine only',
  (issuer) => {
    expect(errorOf({ OIDC_ISSUER: issuer }).message).toMatch(/^OIDC_ISSUER is /);
  },
);
