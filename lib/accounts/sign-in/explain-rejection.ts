import type { MembersConfig } from '#lib/config/members-config.ts';
import { toText } from '#lib/http/json-value.ts';
import { isAdmitted, pickClaims } from './access-rules.ts';
import type { ProvidedClaims } from './provider-kind.ts';

/** Why no rule admits somebody, for the operator; without who it was. */
export type SignInRejection = Readonly<{
  code: 'EMAIL_VERIFIED_MISSING' | 'EMAIL_NOT_VERIFIED' | 'EMAIL_MISSING' | 'NO_RULE_ADMITS';
  /** A rule that would admit everybody of the same organization; null if no claim names one. */
  rule: string | null;
}>;

/** Claims with the tenant of Entra and the domain of a Google Workspace. */
const organizationClaims = ['tid', 'hd'];
/** The tenant of everybody with a personal Microsoft account. */
const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad';

export function explainRejection(
  claims: ProvidedClaims,
  { allowed }: Pick<MembersConfig, 'allowed'>,
): SignInRejection {
  const rules = organizationClaims.flatMap((name) => {
    const value = toText(claims[name]);
    return /^[\w.-]{1,100}$/.test(value) && value !== personalTenant ? `${name}=${value}` : [];
  });
  return { code: toCode(claims, allowed), rule: rules[0] ?? null };
}

function toCode(
  claims: ProvidedClaims,
  allowed: MembersConfig['allowed'],
): SignInRejection['code'] {
  const { email, email_verified: isVerified } = claims;
  const namesAddresses = allowed.some(({ kind }) => kind === 'address' || kind === 'domain');
  if (typeof email !== 'string') return namesAddresses ? 'EMAIL_MISSING' : 'NO_RULE_ADMITS';
  if (!isAdmitted(allowed, { email, claims: pickClaims(allowed, claims) })) return 'NO_RULE_ADMITS';
  return isVerified === undefined ? 'EMAIL_VERIFIED_MISSING' : 'EMAIL_NOT_VERIFIED';
}

const reasons: Readonly<Record<SignInRejection['code'], string>> = {
  EMAIL_VERIFIED_MISSING:
    'the provider does not say whether the address is verified (email_verified is missing)',
  EMAIL_NOT_VERIFIED: 'the provider has not verified the address',
  EMAIL_MISSING: 'the provider names no address',
  NO_RULE_ADMITS: 'no rule of MEMBERS_ALLOWED names this account',
};

/** What the log and the page of the admins say. */
export function describeRejection({ code, rule }: SignInRejection): string {
  const advice =
    rule === null ? '' : ` The rule ${rule} would admit everybody of the same organization.`;
  return `A sign-in was refused: ${reasons[code]}.${advice}`;
}
