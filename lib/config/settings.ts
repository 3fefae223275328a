import { z } from 'zod';
import {
  accessRules,
  budget,
  contentSignal,
  hostList,
  isLoopback,
  issuer,
  linkUrl,
  mailAddress,
  modelPatterns,
  origin,
  textLine,
  timeZone,
  urlOf,
  webUrl,
  webUrlWithQuery,
  wholeNumber,
  wholeNumberIn,
  word,
  workers,
} from './setting-schemas.ts';

/** How one setting is parsed, and a description of valid values for the error message. */
type Setting<T> = Readonly<{
  schema: z.ZodType<T, string | undefined>;
  /** Completes “must be …”. */
  expected: string;
  /** Never shown in messages. */
  secret?: true;
}>;

function setting<T>(
  schema: z.ZodType<T, string | undefined>,
  expected: string,
  options: Readonly<{ secret?: true }> = {},
): Setting<T> {
  return { schema, expected, ...options };
}

const budgetExpected =
  'dollars and tokens by day, week and month, such as 5 USD/day, 50 USD/month, 200,000 tokens/day, or none';
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const pepper = setting(
  word(1000).min(32).optional(),
  'a secret of 32 to 1000 characters without spaces',
  { secret: true },
);

const hostToListenOn = z.string().regex(/^[\w.:%-]{1,253}$/);

export const settings = {
  HOST: setting(
    hostToListenOn.optional(),
    'an IP address or a host name to listen on, such as 127.0.0.1',
  ),
  PORT: setting(wholeNumber(0, 65_535, 3000), 'a port from 1 to 65535, or 0 for any that is free'),
  WORKERS: setting(
    workers,
    'a whole number from 1 to 64, or max for one worker for each core of the machine',
  ),
  METRICS_HOST: setting(
    hostToListenOn.default('127.0.0.1'),
    'an IP address or a host name to serve metrics on, such as 127.0.0.1',
  ),
  METRICS_PORT: setting(
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .pipe(z.int().min(1).max(65_535))
      .optional(),
    'a port from 1 to 65535, other than PORT',
  ),
  TRUST_PROXY: setting(
    wholeNumber(0, 10, 0),
    'the number of proxies in front that add to X-Forwarded-For, from 0 to 10',
  ),
  LOG_REQUESTS: setting(z.enum(['all', 'errors', 'none']).default('errors'), 'all, errors or none'),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    webUrl.optional(),
    'the http(s) URL of an OpenTelemetry collector, such as http://localhost:4318',
  ),
  LOG_LEVEL: setting(z.enum(logLevels).default('info'), `one of ${logLevels.join(', ')}`),
  SHUTDOWN_SECONDS: setting(wholeNumber(0, 3600, 10), 'a whole number from 0 to 3600'),
  SITE_URL: setting(
    origin.optional(),
    'an http(s) URL without a path, such as https://events.example',
  ),
  SITE_NAME: setting(textLine(100).default('Marquee'), 'up to 100 characters of text'),
  CONTENT_SIGNAL: setting(
    contentSignal.default('search=yes, ai-input=yes'),
    'none, or a list of search=yes, ai-input=yes and ai-train=yes (or =no)',
  ),
  SITE_ABOUT: setting(textLine(400).optional(), 'up to 400 characters of text on one line'),
  SITE_CONTACT_URL: setting(
    linkUrl,
    'an http(s) or mailto URL, such as mailto:hello@events.example',
  ),
  SITE_SUBMIT_URL: setting(
    linkUrl,
    'an http(s) or mailto URL, such as https://forms.example/new-event',
  ),
  AIRTABLE_API_URL: setting(
    webUrl.default('https://api.airtable.com'),
    'an http(s) URL, such as https://api.airtable.com',
  ),
  AIRTABLE_TOKEN: setting(word(1000).optional(), 'a personal access token, without spaces', {
    secret: true,
  }),
  AIRTABLE_BASE_ID: setting(
    z
      .string()
      .regex(/^[\w-]{1,100}$/)
      .optional(),
    'the id of a base, such as appA1b2C3d4E5f6G7',
  ),
  AIRTABLE_TABLE: setting(z.string().max(200).default('Events'), 'the name or the id of a table'),
  AIRTABLE_ATTACHMENT_HOSTS: setting(
    hostList.default(['dl.airtable.com', 'v5.airtableusercontent.com']),
    'hosts, separated by commas, such as dl.airtable.com,v5.airtableusercontent.com',
  ),
  EVENTS_TIME_ZONE: setting(timeZone.default('UTC'), 'an IANA time zone, such as Europe/Lisbon'),
  EVENTS_CACHE_SECONDS: setting(wholeNumber(1, 240, 240), 'a whole number from 1 to 240'),
  AIRTABLE_CALLS_PER_MONTH: setting(
    wholeNumberIn(1, 999_999_999).optional(),
    'a whole number from 1 to 999,999,999',
  ),
  TABLE_HOOK_SECRET: setting(
    word(1000).min(16).optional(),
    'a secret of 16 to 1000 characters without spaces',
    { secret: true },
  ),
  SLACK_WORKSPACE_URL: setting(
    origin.optional(),
    'the https URL of a workspace, such as https://makers.slack.com',
  ),
  WEBHOOK_HOSTS: setting(
    hostList.default([]),
    'hosts, separated by commas, such as hooks.internal:8080,automation.example',
  ),
  WEBSUB_HUB: setting(webUrlWithQuery, 'the http(s) URL of a hub, such as https://hub.example/'),
  DATA_DIR: setting(textLine(1000).default('./data'), 'the path of a folder, such as ./data'),
  DATABASE_URL: setting(
    urlOf(/^postgres(ql)?:$/),
    'the URL of a PostgreSQL database, such as postgres://user:password@host:5432/marquee',
    { secret: true },
  ),
  USAGE_DAYS: setting(wholeNumber(1, 36_500, 400), 'a whole number of days from 1 to 36500'),
  KEY_PEPPER: pepper,
  KEY_PEPPER_PREVIOUS: pepper,
  LEAKED_KEYS_URL: setting(
    webUrl.refine((text) => text.startsWith('https:') || isLoopback(new URL(text))).optional(),
    'the https URL of the public keys that reports are signed with, such as https://api.github.com/meta/public_keys/secret_scanning',
  ),
  SMTP_URL: setting(
    urlOf(/^smtps?:$/),
    'the URL of a mail server, such as smtp://user:password@mail.example:587, or smtps://…',
    { secret: true },
  ),
  MAIL_FROM: setting(mailAddress, 'an e-mail address, such as events@mail.example'),
  OIDC_ISSUER: setting(
    issuer,
    'the https URL of an OpenID Connect provider (http on this machine only), such as https://id.example, or https://github.com',
  ),
  OIDC_CLIENT_ID: setting(
    word(1000).optional(),
    'the id that the provider gave this site, without spaces',
  ),
  OIDC_CLIENT_SECRET: setting(
    word(1000).optional(),
    'the secret that the provider gave this site',
    {
      secret: true,
    },
  ),
  OIDC_SCOPES: setting(
    z
      .string()
      .regex(/^[\x21\x23-\x5b\x5d-\x7e ]{1,500}$/)
      .optional(),
    'scopes separated by spaces, such as openid email profile',
  ),
  OIDC_NAME: setting(
    textLine(60).optional(),
    'up to 60 characters of text, such as Harbour Makers',
  ),
  MEMBERS_ALLOWED: setting(
    accessRules.optional(),
    'domains, e-mail addresses, claim=value, or * for everyone, separated by commas, such as makers.example,ada@mail.example,groups=staff',
  ),
  ADMINS: setting(
    accessRules.default([]),
    'domains, e-mail addresses, claim=value, or * for everyone, separated by commas, such as makers.example,ada@mail.example,groups=staff',
  ),
  MEMBERS_KEY_DAYS: setting(wholeNumber(1, 3650, 90), 'a whole number of days from 1 to 3650'),
  PROXY_REQUESTS_PER_MINUTE: setting(
    wholeNumber(1, 1_000_000, 60),
    'a whole number from 1 to 1,000,000',
  ),
  MEMBER_BUDGET: setting(budget.optional(), budgetExpected),
  TOTAL_BUDGET: setting(budget.optional(), budgetExpected),
  PROXY_TOKENS_PER_DAY: setting(
    wholeNumber(1, 999_999_999, 1_000_000),
    'a whole number from 1 to 999,999,999',
  ),
  AI_UPSTREAM_URL: setting(
    webUrl.optional(),
    'an http(s) URL with its version, such as https://models.example/api/v1',
  ),
  AI_UPSTREAM_KEY: setting(word(1000).optional(), 'a key of the upstream, without spaces', {
    secret: true,
  }),
  AI_UPSTREAM_RESPONSES: setting(z.enum(['native', 'chat']).default('native'), 'native or chat'),
  AI_UPSTREAMS_FILE: setting(
    textLine(1000).optional(),
    'the path of a JSON file, such as ./upstreams.json',
  ),
  AI_UPSTREAM_MESSAGES: setting(z.enum(['native', 'chat']).default('chat'), 'native or chat'),
  AI_MODELS: setting(
    modelPatterns,
    'ids of models or prefixes, separated by commas, such as vendor/model,other-vendor/*',
  ),
  PROXY_BODY_BYTES_MAX: setting(
    wholeNumber(1024, 268_435_456, 4 * 1024 * 1024),
    'a whole number of bytes from 1,024 to 268,435,456',
  ),
  PROXY_TIMEOUT_SECONDS: setting(wholeNumber(1, 3600, 120), 'a whole number from 1 to 3600'),
} as const;

export type SettingName = keyof typeof settings;
export type SettingValues = {
  readonly [N in SettingName]: z.output<(typeof settings)[N]['schema']>;
};
