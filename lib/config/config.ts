import { noBudget } from './budget.ts';
import { deepFreeze, type Frozen } from './deep-freeze.ts';
import { toMembersConfig } from './members-config.ts';
import { ConfigError, type Environment, readSettings } from './read-settings.ts';
import { type SettingValues, settings } from './settings.ts';
import { loadUpstreamsFile } from './upstreams-file.ts';
import type { UpstreamsSettings } from './upstreams-schema.ts';

export type { Environment };

/** The validated settings. */
export type Config = Frozen<ReturnType<typeof toConfig> & ReturnType<typeof readWorker>>;

/**
 * Reads the settings from the environment. An empty variable counts as unset.
 * @throws ConfigError that names the variable, its value (secrets masked) and the values it accepts.
 */
export function loadConfig(environment: Environment): Config {
  const values = readSettings(environment);
  requireConsistency(values);
  const upstreams = loadUpstreams(values, environment);
  return deepFreeze({ ...toConfig(values, upstreams), ...readWorker(environment) });
}

function toConfig(values: SettingValues, upstreams: UpstreamsSettings | null) {
  const siteUrl = values.SITE_URL ?? `http://localhost:${values.PORT}`;
  return {
    /** null: all addresses of the machine. */
    host: values.HOST ?? null,
    /** 0: any that is free. */
    port: values.PORT,
    /** How many processes serve on the port. */
    workers: values.WORKERS,
    /** Resident memory above which a worker is replaced; null: none is. */
    workerMemoryBytesMax: values.WORKER_MEMORY_BYTES_MAX ?? null,
    site: toSiteConfig(values, siteUrl),
    /** What all pages tell; null: nothing. */
    notice: toNoticeConfig(values),
    logLevel: values.LOG_LEVEL,
    /** Which requests are logged. */
    logRequests: values.LOG_REQUESTS,
    /** How many proxies of ours are in front: see `readClientAddress`. */
    trustProxy: values.TRUST_PROXY,
    /** Base URL of an OpenTelemetry collector; null: no traces. */
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    metricsHost: values.METRICS_HOST,
    /** null: no metrics. */
    metricsPort: values.METRICS_PORT ?? null,
    /** How long responses under way may take once the process has been told to stop. */
    shutdownSeconds: values.SHUTDOWN_SECONDS,
    airtable: toAirtableConfig(values),
    events: toEventsConfig(values),
    notifications: toNotificationsConfig(values),
    storage: {
      dataDir: values.DATA_DIR,
      /** null: the embedded database in `dataDir`. */
      databaseUrl: values.DATABASE_URL ?? null,
      /** How many days usage records are stored. */
      usageDays: values.USAGE_DAYS,
    },
    /** null: no mails. */
    mail: toMailConfig(values),
    /** null: no accounts. */
    members: toMembersConfig(values, siteUrl),
    keys: toKeysConfig(values),
    ai: toAiConfig(values, upstreams),
    proxy: {
      bodyBytesMax: values.PROXY_BODY_BYTES_MAX,
      /** null: a quarter of the memory of a process. */
      bodiesBytesMax: values.PROXY_BODIES_BYTES_MAX ?? null,
      timeoutSeconds: values.PROXY_TIMEOUT_SECONDS,
    },
  };
}

function toSiteConfig(values: SettingValues, siteUrl: string) {
  return {
    name: values.SITE_NAME,
    url: siteUrl,
    /** What robots.txt says content may be used for; null: nothing. */
    contentSignal: values.CONTENT_SIGNAL,
    /** Who runs the site and for whom, in a sentence or two. */
    about: values.SITE_ABOUT ?? null,
    contactUrl: values.SITE_CONTACT_URL ?? null,
    /** Where to submit an event. */
    submitUrl: values.SITE_SUBMIT_URL ?? null,
  };
}

function toNoticeConfig(values: SettingValues) {
  const {
    SITE_NOTICE: text,
    SITE_NOTICE_URL: url = null,
    SITE_NOTICE_UNTIL: until = null,
  } = values;
  return text === undefined ? null : { text, url, until };
}

function toAirtableConfig(values: SettingValues) {
  return {
    apiUrl: values.AIRTABLE_API_URL,
    token: values.AIRTABLE_TOKEN ?? null,
    baseId: values.AIRTABLE_BASE_ID ?? null,
    table: values.AIRTABLE_TABLE,
    /** Of the table; null: all of its rows are read. */
    view: values.AIRTABLE_VIEW ?? null,
    /** What the table calls columns, where it calls them otherwise. */
    columns: values.EVENTS_COLUMNS,
    /** Hosts of attachments (HTTPS), besides the API's own: `host` or `host:port`. */
    attachmentHosts: values.AIRTABLE_ATTACHMENT_HOSTS,
    /** That the plan allows; null: unknown. */
    callsPerMonth: values.AIRTABLE_CALLS_PER_MONTH ?? null,
  };
}

function toEventsConfig(values: SettingValues) {
  return {
    timeZone: values.EVENTS_TIME_ZONE,
    cacheSeconds: values.EVENTS_CACHE_SECONDS,
    /** Which the table sends after an edit; null: it has no hook. */
    hookSecret: values.TABLE_HOOK_SECRET ?? null,
    /** Of the workspace that the events' channels belong to; null if unknown. */
    slackWorkspaceUrl: values.SLACK_WORKSPACE_URL ?? null,
  };
}

function toNotificationsConfig(values: SettingValues) {
  return {
    /** Hosts that webhooks may have on any network and port, by http, too: `host` or `host:port`. */
    webhookHosts: values.WEBHOOK_HOSTS,
    /** Of budgets, in percent, ascending. */
    budgetLevels: values.BUDGET_ALERTS,
    /** The WebSub hub of the feeds; null: none. */
    websubHub: values.WEBSUB_HUB ?? null,
  };
}

function toKeysConfig(values: SettingValues) {
  return {
    /** null: generated once and stored in `dataDir`. */
    pepper: values.KEY_PEPPER ?? null,
    /** Keys that were made with it go on working. */
    previousPepper: values.KEY_PEPPER_PREVIOUS ?? null,
    /** The public keys that reports of leaked keys are signed with; null: no reports are taken. */
    leakedKeysUrl: values.LEAKED_KEYS_URL ?? null,
    requestsPerMinute: values.PROXY_REQUESTS_PER_MINUTE,
    /** Of keys that the operator made. */
    tokensPerDay: values.PROXY_TOKENS_PER_DAY,
    /** Of each member, for all keys together, unless it has its own. */
    memberBudget: values.MEMBER_BUDGET ?? {
      ...noBudget,
      tokensPerDay: values.PROXY_TOKENS_PER_DAY,
    },
    /** Of all keys together. */
    totalBudget: values.TOTAL_BUDGET ?? noBudget,
  };
}

function toAiConfig(values: SettingValues, upstreams: UpstreamsSettings | null) {
  return {
    /** Base URL with its version, without a trailing slash. */
    upstreamUrl: values.AI_UPSTREAM_URL ?? null,
    upstreamKey: values.AI_UPSTREAM_KEY ?? null,
    /** Whether the upstream supports `/responses`, or only chat completions. */
    responses: values.AI_UPSTREAM_RESPONSES,
    /** The same for `/messages`. */
    messages: values.AI_UPSTREAM_MESSAGES,
    /** Ids and `prefix/*`; null: all that the upstream lists. */
    models: values.AI_MODELS ?? null,
    /** Of AI_UPSTREAMS_FILE; null: the one upstream of the settings above. */
    upstreams,
  };
}

function toMailConfig({
  SMTP_URL: smtpUrl,
  MAIL_FROM: from,
  MAIL_SESSIONS: sessionsMax,
}: SettingValues) {
  return smtpUrl === undefined || from === undefined ? null : { smtpUrl, from, sessionsMax };
}

/** @throws ConfigError if two settings contradict each other. */
function requireConsistency(values: SettingValues): void {
  if (values.DATABASE_URL !== undefined && values.KEY_PEPPER === undefined) {
    // Instances that share a database need the same pepper, so it cannot be a file of one of them.
    throw new ConfigError(
      `KEY_PEPPER is not set, but with DATABASE_URL it must be ${settings.KEY_PEPPER.expected}, the same for every instance.`,
    );
  }
  const { SMTP_URL, MAIL_FROM } = values;
  if ((SMTP_URL === undefined) !== (MAIL_FROM === undefined)) {
    const [set, missing] =
      MAIL_FROM === undefined
        ? (['SMTP_URL', 'MAIL_FROM'] as const)
        : (['MAIL_FROM', 'SMTP_URL'] as const);
    throw new ConfigError(
      `${missing} is not set, but with ${set} it must be ${settings[missing].expected}.`,
    );
  }
  if (values.METRICS_PORT === values.PORT) {
    throw new ConfigError(
      `METRICS_PORT is ${values.PORT}, the same as PORT, but metrics are not public. Choose another one.`,
    );
  }
}

/** Null without a file. @throws ConfigError if the file is invalid, or the settings contradict it. */
function loadUpstreams(values: SettingValues, environment: Environment): UpstreamsSettings | null {
  const path = values.AI_UPSTREAMS_FILE;
  if (path === undefined) return null;
  if (values.AI_UPSTREAM_URL !== undefined || values.AI_UPSTREAM_KEY !== undefined) {
    throw new ConfigError(
      'AI_UPSTREAMS_FILE and AI_UPSTREAM_URL or AI_UPSTREAM_KEY are both set: put that upstream into the file.',
    );
  }
  return loadUpstreamsFile(path, environment);
}

/** The place of a process among the workers, from 0. */
export type WorkerPlace = Readonly<{ index: number; count: number }>;

const workerVariable = 'MARQUEE_WORKER';

/** What tells a process that it is a worker. */
export function toWorkerEnvironment({ index, count }: WorkerPlace): Environment {
  return { [workerVariable]: `${index}/${count}` };
}

function readWorker(environment: Environment) {
  const [index = 0, count = 1] = environment[workerVariable]?.split('/').map(Number) ?? [];
  return {
    worker: { index, count },
    /** Whether this process does what no request asks for: one of the workers does. */
    runsTimers: index === 0,
  };
}
