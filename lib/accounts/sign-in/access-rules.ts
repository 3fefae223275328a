import type { AccessRule } from '#lib/config/setting-schemas.ts';
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

/** The claims that rules name: nothing else of a token is stored. */
export function pickClaims(
  rules: readonly AccessRule[],
  claims: Readonly<Record<string, unknown>>,
): MemberClaims {
  const names = rules.flatMap((rule) => (rule.kind === 'claim' ? rule.name : []));
  return Object.fromEntries(names.map((name) => [name, toValues(claims[name])]));
}

const valuesMax = 200;

// Groups are lists in most tokens; flags are booleans.
function toValues(value: unknown): string[] {
  return [value]
    .flat()
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, valuesMax)
    .map(String);
}
