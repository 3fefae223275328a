import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { parseBudget } from './budget.ts';

const workersMax = 64;

export const wholeNumberIn = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

export const wholeNumberSetting = (min: number, max: number, fallback: number) =>
  wholeNumberIn(min, max).default(fallback);

/** In ascending order. */
export const percentages = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim().replace(/%$/, '')))
  .pipe(z.array(wholeNumberIn(1, 100)).max(10))
  .transform((levels) => [...new Set(levels)].sort((a, b) => a - b));

/** A number of processes; `max`: as many as run at once. */
export const workers = z.union([
  z.literal('max').transform(() => Math.min(availableParallelism(), workersMax)),
  wholeNumberSetting(1, workersMax, 1),
]);

export const hostToListenOn = z.string().regex(/^[\w.:%-]{1,253}$/);

export const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.int().min(1).max(65_535));

/** Printable text on one line. */
export const textLine = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .regex(/^[^\x00-\x1f\x7f]+$/);

/** ASCII without spaces, so that it can be sent in a header. */
export const word = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .regex(/^[\x21-\x7e]+$/);

/** `Name=Event title, Start Date=When`. A value may have commas. */
export const pairs = z.string().transform((text, context) => {
  const entries = text.split(/,(?=[^,=]*=)/).map((pair) => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    return [name.trim(), value.trim()] as const;
  });
  const names = new Set(entries.map(([name]) => name));
  const isComplete = entries.every(([name, value]) => name !== '' && value !== '');
  if (isComplete && names.size === entries.length) return Object.fromEntries(entries);
  context.addIssue('not pairs');
  return z.NEVER;
});

export const origin = z.string().transform((text, context) => {
  const url = parseWebUrl(text);
  if (url?.pathname === '/') return url.origin;
  context.addIssue('not an origin');
  return z.NEVER;
});

export const webUrl = z.string().transform((text, context) => {
  const url = parseWebUrl(text);
  if (url !== null) return url.href.replace(/\/+$/, '');
  context.addIssue('not a web URL');
  return z.NEVER;
});

function parseWebUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const hasMore = [url.username, url.password, url.search, url.hash].some((part) => part !== '');
  return hasMore ? null : url;
}

// OpenID Connect Discovery 1.0 §3: https, without query or fragment. A slash at its end is part of it.
export const issuer = z
  .string()
  .refine((text) => {
    const url = URL.parse(text);
    if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return false;
    return url.protocol === 'https:' || isLoopback(url);
  })
  .optional();

/** Whether a URL is plain HTTP to this machine. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

// A hub's URL is used as it is.
export const webUrlWithQuery = z
  .string()
  .max(2000)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '';
  })
  .optional();

// A page or an email address; unlike a base URL it may have a query.
export const linkUrl = z
  .string()
  .max(2000)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^(?:https?|mailto):$/.test(url.protocol);
  })
  .optional();

// A day, or a time with or without an offset (RFC 3339), that exists.
export const dayOrTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?)?$/)
  .refine((text) => {
    const day = new Date(`${text.slice(0, 10)}T00:00Z`);
    const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
    return isDay && !Number.isNaN(Date.parse(text));
  })
  .optional();

export const timeZone = z.string().refine((zone) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
});

export const urlOf = (scheme: RegExp) =>
  z
    .string()
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && scheme.test(url.protocol) && url.hostname !== '';
    })
    .optional();

// An id of the upstream, or a prefix and `/*`.
export const modelPatterns = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(
    z.array(z.string().regex(/^(?:[\x21-\x29\x2b-\x7e]{1,200}|[\x21-\x29\x2b-\x7e]{1,199}\/\*)$/)),
  )
  .optional();

// Another port is another server, so it is part of the host.
export const hostList = z.string().transform((text, context) => {
  const hosts = text.split(',').map((host) => host.trim().toLowerCase());
  const wrong = hosts.some(
    (host) => !/^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::\d{1,5})?$/.test(host),
  );
  if (!wrong) return hosts;
  context.addIssue('not a list of hosts');
  return z.NEVER;
});

// Signals of https://contentsignals.org, each once.
export const contentSignal = z.string().transform((text, context) => {
  const signals = text.split(',').map((signal) => signal.trim().toLowerCase());
  const names = signals.map((signal) => signal.split('=')[0]);
  const isValid = signals.every((signal) =>
    /^(?:search|ai-input|ai-train)=(?:yes|no)$/.test(signal),
  );
  if (signals.length === 1 && signals[0] === 'none') return null;
  if (isValid && new Set(names).size === names.length) return signals.join(', ');
  context.addIssue('not a list of signals');
  return z.NEVER;
});

// Emails are sent from it, so it must be an address that every server takes.
export const mailAddress = z
  .string()
  .max(254)
  .regex(/^[\w.+-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i)
  .optional();

export const accessRules = z.string().transform((text, context) => {
  const rules = parseAccessRules(text);
  if (rules !== null) return rules;
  context.addIssue('not a list of rules');
  return z.NEVER;
});

export const budget = z.string().transform((text, context) => {
  try {
    return parseBudget(text);
  } catch {
    context.addIssue('not a budget');
    return z.NEVER;
  }
});

/** Who a setting admits. */
export type AccessRule =
  | Readonly<{ kind: 'everyone' }>
  | Readonly<{ kind: 'domain' | 'address'; value: string }>
  | Readonly<{ kind: 'claim'; name: string; value: string }>;

const domain = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const claim = /^([^\s=,@]{1,200})=([^\s,][^,]{0,199})$/;

/** Reads `*`, domains, email addresses and `claim=value`, separated by commas; null if one is none of them. */
export function parseAccessRules(text: string): AccessRule[] | null {
  const rules = text.split(',').map((part) => parseRule(part.trim()));
  return rules.every((rule) => rule !== null) ? rules : null;
}

function parseRule(text: string): AccessRule | null {
  if (text === '*') return { kind: 'everyone' };
  const [, name, value] = claim.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return { kind: 'claim', name, value };
  const lower = text.toLowerCase();
  if (domain.test(lower)) return { kind: 'domain', value: lower };
  const [user, host, ...rest] = lower.split('@');
  const isAddress = /^[^\s@]{1,64}$/.test(user ?? '') && domain.test(host ?? '');
  return isAddress && rest.length === 0 ? { kind: 'address', value: lower } : null;
}
