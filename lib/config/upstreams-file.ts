import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { ConfigError, type Environment } from './read-settings.ts';
import { findModelProblem } from './upstreams-file-models.ts';
import {
  type UpstreamsFileContent,
  type UpstreamsSettings,
  upstreamsFileSchema,
} from './upstreams-schema.ts';

/**
 * Reads the file of upstreams and their keys.
 * @throws ConfigError with one line that names the file and the field.
 */
export function loadUpstreamsFile(path: string, environment: Environment): UpstreamsSettings {
  const fail = (problem: string): never => {
    throw new ConfigError(`AI_UPSTREAMS_FILE is ${JSON.stringify(path)}: ${problem}`);
  };
  const parsed = upstreamsFileSchema.safeParse(readJsonFile(path, fail));
  if (!parsed.success) return fail(toProblem(parsed.error));
  const { upstreams, models } = parsed.data;
  const problem = findDuplicateName(upstreams) ?? findModelProblem(parsed.data);
  if (problem !== null) return fail(problem);
  return {
    upstreams: upstreams.map(({ keyEnv, keyFile, ...upstream }, index) => {
      const key = readKey({ keyEnv, keyFile }, environment);
      if ('problem' in key) return fail(`upstreams[${index}]${key.problem}`);
      if (upstream.credit && !isSameHost(upstream.credit.url, upstream.url)) {
        // It gets the key.
        return fail(`upstreams[${index}].credit.url must be on the host of its \`url\`.`);
      }
      return { ...upstream, ...key };
    }),
    models,
  };
}

function isSameHost(first: string, second: string): boolean {
  return new URL(first).origin === new URL(second).origin;
}

function readJsonFile(path: string, fail: (problem: string) => never): unknown {
  const text = readFile(path);
  if (text === null) return fail('it cannot be read. Check the path and its permissions.');
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the file.
    return fail('it is not valid JSON. Check quotes, commas and brackets.');
  }
}

function readFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function toProblem({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'it is invalid.';
  const path = issue.path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : `${text}${text && '.'}${String(step)}`,
    '',
  );
  if (issue.code === 'unrecognized_keys') {
    return `${path || 'it'} has the unknown field ${JSON.stringify(issue.keys[0])}.`;
  }
  const message = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message;
  return `${path || 'it'} must be ${message}.`;
}

function findDuplicateName(upstreams: UpstreamsFileContent['upstreams']): string | null {
  const names = upstreams.map(({ name }) => name);
  const index = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (index === -1) return null;
  return `upstreams[${index}].name is ${JSON.stringify(names[index])}, as that of another upstream.`;
}

type KeySource = Readonly<{ keyEnv: string | undefined; keyFile: string | undefined }>;

function readKey(
  { keyEnv, keyFile }: KeySource,
  environment: Environment,
): Readonly<{ key: string } | { problem: string }> {
  if ((keyEnv === undefined) === (keyFile === undefined)) {
    return { problem: ' must have either keyEnv or keyFile.' };
  }
  const text = keyFile === undefined ? environment[keyEnv ?? ''] : readFile(keyFile);
  const [field, name, isMissing] =
    keyFile === undefined
      ? ['keyEnv', keyEnv, 'is not set']
      : ['keyFile', keyFile, 'cannot be read, or is empty'];
  const key = text?.trim() ?? '';
  // It is sent in a header.
  if (/^[\x21-\x7e]{1,1000}$/.test(key)) return { key };
  const problem = key === '' ? isMissing : 'holds a key that is too long or has spaces';
  return { problem: `.${field} is ${JSON.stringify(name)}, which ${problem}.` };
}
