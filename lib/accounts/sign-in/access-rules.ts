import type { AccessRule } from '#lib/config/setting-schemas.ts';
import { isJsonObject, toJsonObject } from '#lib/http/json-value.ts';
import type { MemberClaims } from '#lib/storage/schema.ts';

/** What rules look at. */
type Identity = Readonly<{
  /** Null unless the provider has verified it. */
  email: string | null;
  claims: MemberClaims;
}>;

/** Whether one of the rules admits a person. */
export function isAdmitted(rules: readonly AccessRule[], { email, claims }: Identity): boolean {
  const address = email !== null && isPlainAddress(email) ? email.toLowerCase() : '';
  return rules.some((rule) => admits(rule, address, claims));
}

/**
 * Some letters outside ASCII are lower-cased to ASCII letters, such as the Kelvin sign, and with a second @ it is
 * open which domain an address has.
 */
function isPlainAddress(email: string): boolean {
  return /^[!-?A-~]+@[!-?A-~]+$/.test(email);
}

function admits(rule: AccessRule, address: string, claims: MemberClaims): boolean {
  switch (rule.kind) {
    case 'everyone':
      return true;
    case 'address':
      return address === rule.value;
    case 'domain':
      return address.slice(address.lastIndexOf('@') + 1) === rule.value;
    case 'claim':
      return claims[rule.name]?.includes(rule.value) ?? false;
  }
}

/** Whether claims have all that rules look at, whatever it says. */
export function hasAllClaims(
  rules: readonly AccessRule[],
  claims: Readonly<Record<string, unknown>>,
): boolean {
  const hasEmail = claims.email !== undefined && claims.email_verified !== undefined;
  return rules.every(({ kind, ...rule }) => {
    if (kind === 'everyone') return true;
    return 'name' in rule ? findClaim(claims, rule.name) !== undefined : hasEmail;
  });
}

/** The claims that rules name: nothing else of a token is stored. */
export function pickClaims(
  rules: readonly AccessRule[],
  claims: Readonly<Record<string, unknown>>,
): MemberClaims {
  const names = rules.flatMap((rule) => (rule.kind === 'claim' ? rule.name : []));
  return Object.fromEntries(names.map((name) => [name, toValues(findClaim(claims, name))]));
}

/**
 * What a rule looks at. `groups~=staff` is for groups that are one text, divided by spaces or commas, as `~=` is in CSS.
 * No other rule divides a text, since a group can have spaces itself.
 */
function findClaim(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (!name.endsWith('~')) return findByPath(claims, name);
  const found = findByPath(claims, name.slice(0, -1));
  return typeof found === 'string' ? found.split(/[\s,]+/) : found;
}

/** A claim of this name, or one within others: `realm_access.roles`. Names may have points themselves. */
function findByPath(value: unknown, path: string): unknown {
  const object = toJsonObject(value);
  if (Object.hasOwn(object, path)) return object[path];
  for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = path.slice(0, end);
    const found = Object.hasOwn(object, name)
      ? findByPath(object[name], path.slice(end + 1))
      : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const valuesMax = 1_000;

// Groups are lists in most tokens, or the names of an object; flags are booleans.
function toValues(value: unknown): string[] {
  return [isJsonObject(value) ? Object.keys(value) : value]
    .flat()
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, valuesMax)
    .map(String);
}
