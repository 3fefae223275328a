import { readFileSync } from 'node:fs';
import { closestMatch } from 'leven';
import { type SettingName, type SettingValues, settings } from './settings.ts';

/** An invalid setting, with a one-line message for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of each setting. @throws ConfigError if one is invalid, or a secret cannot be read. */
export function readSettings(environment: Environment): SettingValues {
  const values: Record<string, unknown> = {};
  for (const [name, { schema, expected, secret }] of entriesOf(settings)) {
    const input = secret ? readSecret(environment, name) : readText(environment, name);
    const result = schema.safeParse(input);
    if (!result.success) {
      const shown = secret ? 'invalid (not shown, because it is a secret)' : show(input ?? '');
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

const names = Object.entries(settings).flatMap(([name, setting]) =>
  'secret' in setting ? [name, `${name}_FILE`] : [name],
);
/** Prefixes that only variables of ours have. */
const ownPrefix = /^(AIRTABLE|AI|EVENTS|PROXY|SITE)_/;

/** Settings of earlier versions, and what is true instead. */
const formerSettings: Readonly<Record<string, string>> = {
  REDIS_URL: 'instances share everything through the database. Remove it.',
};

/** Finds variables that are no settings but look like some, or were: says which may be meant, or what is true instead. */
export function findUnknownSettings(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => !names.includes(name) && environment[name] !== '')
    .flatMap((name) => {
      const former = formerSettings[name.replace(/_FILE$/, '')];
      if (former !== undefined) return [`${name} is not used any more: ${former}`];
      const maxDistance = ownPrefix.test(name) ? 4 : Math.min(2, Math.floor(name.length / 5));
      const nearest = closestMatch(name, names, { maxDistance });
      return nearest === undefined ? [] : [`${name} is not a setting. Did you mean ${nearest}?`];
    });
}
