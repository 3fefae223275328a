import { readFileSync } from 'node:fs';
import { type Budget, noBudget } from '#lib/budgets/budget.ts';
import { ConfigError } from './config-error.ts';
import { type MembersConfig, toMembersConfig } from './members-config.ts';
import { type SettingName, type SettingValues, settings } from './settings.ts';
import { loadUpstreamsFile, type UpstreamsFile } from './upstreams-file.ts';

/** The validated settings. */
export type Config = Readonly<{
  /** null: all addresses of the machine. */
  host: string | null;
  /** 0: any that is free. */
  port: number;
  site: Readonly<{
    name: string;
    url: string;
    /** What robots.txt says content may be used for; null: nothing. */
    contentSignal: string | null;
    /** Who runs the site and for whom, in a sentence or two. */
    about: string | null;
    contactUrl: string | null;
    /** Where to submit an event. */
    submitUrl: string | null;
  }>;
  logLevel: SettingValues['LOG_LEVEL'];
  /** Which requests are logged. */
  logRequests: SettingValues['LOG_REQUESTS'];
  /** How many proxies of ours are in front: see `readClientAddress`. */
  trustProxy: number;
  traces: Readonly<{
    /** Base URL of an OpenTelemetry collector; null: no traces. */
    endpoint: string | null;
    serviceName: string;
  }>;
  /** The mean delay above which the process counts as overloaded; 0: never. */
  eventLoopDelayMsMax: number;
  /** null: no metrics. */
  metricsPort: number | null;
  /** How long responses under way may take once the process has been told to stop. */
  shutdownSeconds: number;
  airtable: Readonly<{
    apiUrl: string;
    token: string | null;
    baseId: string | null;
    table: string;
    /** Hosts of attachments (HTTPS), besides the API's own: `host` or `host:port`. */
    attachmentHosts: readonly string[];
  }>;
  events: Readonly<{
    timeZone: string;
    cacheSeconds: number;
    /** Of the workspace that the events' channels belong to; null if unknown. */
    slackWorkspaceUrl: string | null;
  }>;
  storage: Readonly<{
    dataDir: string;
    /** null: the embedded database in `dataDir`. */
    databaseUrl: string | null;
    /** null: nothing is shared between instances. */
    redisUrl: string | null;
    /** How many days usage records are stored. */
    usageDays: number;
  }>;
  /** null: no accounts. */
  members: MembersConfig | null;
  keys: Readonly<{
    /** null: generated once and stored in `dataDir`. */
    pepper: string | null;
    /** Keys that were made with it go on working. */
    previousPepper: string | null;
    requestsPerMinute: number;
    /** Of keys that the operator made. */
    tokensPerDay: number;
    /** Of each member, for all keys together, unless it has its own. */
    memberBudget: Budget;
    /** Of all keys together. */
    totalBudget: Budget;
    /** Whether keys may use the Messages API, unless they have their own setting. */
    mayUseMessages: boolean;
  }>;
  ai: Readonly<{
    /** Base URL with its version, without a trailing slash. */
    upstreamUrl: string | null;
    upstreamKey: string | null;
    /** Whether the upstream supports `/responses`, or only chat completions. */
    responses: 'native' | 'chat';
    /** The same for `/messages`. */
    messages: 'native' | 'chat';
    /** Ids and `prefix/*`; null: all that the upstream lists. */
    models: readonly string[] | null;
    /** Of AI_UPSTREAMS_FILE; null: the one upstream of the settings above. */
    upstreams: UpstreamsFile | null;
    /** Whether clients see which upstream serves a model. */
    showsUpstreams: boolean;
  }>;
  proxy: Readonly<{ bodyBytesMax: number; timeoutSeconds: number }>;
}>;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from the environment. An empty variable counts as unset.
 * @throws ConfigError that names the variable, its value (secrets masked) and the values it accepts.
 */
export function loadConfig(environment: Environment): Config {
  const values = readSettings(environment);
  if (values.DATABASE_URL !== undefined && values.KEY_PEPPER === undefined) {
    // Instances that share a database need the same pepper, so it cannot be a file of one of them.
    throw new ConfigError(
      `KEY_PEPPER is not set, but with DATABASE_URL it must be ${settings.KEY_PEPPER.expected}, the same for every instance.`,
    );
  }
  if (values.METRICS_PORT === values.PORT) {
    throw new ConfigError(
      `METRICS_PORT is ${values.PORT}, the same as PORT, but metrics are not public. Choose another one.`,
    );
  }
  return deepFreeze({
    host: values.HOST ?? null,
    port: values.PORT,
    logLevel: values.LOG_LEVEL,
    logRequests: values.LOG_REQUESTS,
    trustProxy: values.TRUST_PROXY,
    traces: {
      endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
      serviceName: values.OTEL_SERVICE_NAME,
    },
    eventLoopDelayMsMax: values.EVENT_LOOP_DELAY_MS_MAX,
    metricsPort: values.METRICS_PORT ?? null,
    shutdownSeconds: values.SHUTDOWN_SECONDS,
    site: {
      name: values.SITE_NAME,
      url: values.SITE_URL ?? `http://localhost:${values.PORT}`,
      contentSignal: values.CONTENT_SIGNAL,
      about: values.SITE_ABOUT ?? null,
      contactUrl: values.SITE_CONTACT_URL ?? null,
      submitUrl: values.SITE_SUBMIT_URL ?? null,
    },
    airtable: {
      apiUrl: values.AIRTABLE_API_URL,
      token: values.AIRTABLE_TOKEN ?? null,
      baseId: values.AIRTABLE_BASE_ID ?? null,
      table: values.AIRTABLE_TABLE,
      attachmentHosts: values.AIRTABLE_ATTACHMENT_HOSTS,
    },
    events: {
      timeZone: values.EVENTS_TIME_ZONE,
      cacheSeconds: values.EVENTS_CACHE_SECONDS,
      slackWorkspaceUrl: values.SLACK_WORKSPACE_URL ?? null,
    },
    storage: {
      dataDir: values.DATA_DIR,
      databaseUrl: values.DATABASE_URL ?? null,
      redisUrl: values.REDIS_URL ?? null,
      usageDays: values.USAGE_DAYS,
    },
    members: toMembersConfig(values, values.SITE_URL ?? `http://localhost:${values.PORT}`),
    keys: {
      pepper: values.KEY_PEPPER ?? null,
      previousPepper: values.KEY_PEPPER_PREVIOUS ?? null,
      requestsPerMinute: values.PROXY_REQUESTS_PER_MINUTE,
      tokensPerDay: values.PROXY_TOKENS_PER_DAY,
      memberBudget: values.MEMBER_BUDGET ?? {
        ...noBudget,
        tokensPerDay: values.PROXY_TOKENS_PER_DAY,
      },
      totalBudget: values.TOTAL_BUDGET ?? noBudget,
      mayUseMessages: values.PROXY_MESSAGES === 'on',
    },
    ai: {
      upstreamUrl: values.AI_UPSTREAM_URL ?? null,
      upstreamKey: values.AI_UPSTREAM_KEY ?? null,
      responses: values.AI_UPSTREAM_RESPONSES,
      messages: values.AI_UPSTREAM_MESSAGES,
      models: values.AI_MODELS ?? null,
      upstreams: loadUpstreams(values, environment),
      showsUpstreams: values.AI_UPSTREAM_NAMES === 'shown',
    },
    proxy: {
      bodyBytesMax: values.PROXY_BODY_BYTES_MAX,
      timeoutSeconds: values.PROXY_TIMEOUT_SECONDS,
    },
  });
}

/** Null without a file. @throws ConfigError if the file is invalid, or the settings contradict it. */
function loadUpstreams(values: SettingValues, environment: Environment): UpstreamsFile | null {
  const path = values.AI_UPSTREAMS_FILE;
  if (path === undefined) return null;
  if (values.AI_UPSTREAM_URL !== undefined || values.AI_UPSTREAM_KEY !== undefined) {
    throw new ConfigError(
      'AI_UPSTREAMS_FILE and AI_UPSTREAM_URL or AI_UPSTREAM_KEY are both set: put that upstream into the file.',
    );
  }
  return loadUpstreamsFile(path, environment);
}

function readSettings(environment: Environment): SettingValues {
  const values: Record<string, unknown> = {};
  for (const [name, { schema, expected, secret }] of entriesOf(settings)) {
    const input = secret ? readSecret(environment, name) : readText(environment, name);
    const result = schema.safeParse(input);
    if (!result.success) {
      const shown = secret ? 'invalid (the value is a secret and not shown)' : show(input ?? '');
      throw new ConfigError(`${name} is ${shown}, but must be ${expected}.`);
    }
    values[name] = result.data;
  }
  // Each name of `settings` now has the output of its own schema.
  return values as SettingValues;
}

// An empty variable counts as unset.
function readText(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}

/** A secret, or the content of the file that `NAME_FILE` names: containers mount secrets as files. */
function readSecret(environment: Environment, name: SettingName): string | undefined {
  const text = readText(environment, name);
  const file = readText(environment, `${name}_FILE`);
  if (file === undefined) return text;
  if (text !== undefined) {
    throw new ConfigError(`${name} and ${name}_FILE are both set. Remove one of them.`);
  }
  try {
    return readFileSync(/* turbopackIgnore: true */ file, 'utf8').trim();
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${name}_FILE is ${show(file)}, a file that cannot be read (${code}).`);
  }
}

// Secrets may be in the wrong variable or in URLs.
function show(input: string): string {
  const masked = input
    .replace(/\bpat\w{14}\.\w+|\bsk-[\w-]{8,}/g, '(a token, not shown)')
    .replace(/\/\/[^/?#]*@/g, '//(not shown)@');
  return JSON.stringify(masked.slice(0, 200)).replace(/[\x7f-\x9f\u2028\u2029]/g, '\ufffd');
}

type AnySetting = Readonly<{
  schema: {
    safeParse: (input: unknown) => { success: boolean; data?: unknown };
  };
  expected: string;
  secret?: true;
}>;

function entriesOf(table: Readonly<Record<SettingName, AnySetting>>): [SettingName, AnySetting][] {
  return Object.entries(table) as [SettingName, AnySetting][];
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
