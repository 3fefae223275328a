import { ConfigError } from './read-settings.ts';
import { type AccessRule, isLoopback } from './setting-schemas.ts';
import type { SettingValues } from './settings.ts';

/** How members sign in, and who may. */
export type MembersConfig = Readonly<{
  issuer: string;
  /** GitHub, which speaks OAuth but no OpenID Connect. */
  isGithub: boolean;
  clientId: string;
  /** null: a public client. */
  clientSecret: string | null;
  scopes: string;
  /** What people call the provider. */
  providerName: string;
  allowed: readonly AccessRule[];
  admins: readonly AccessRule[];
  /** How many days after a member's last sign-in their keys stop. */
  keyDays: number;
}>;

/** Null without a provider. @throws ConfigError if settings that belong together are incomplete. */
export function toMembersConfig(values: SettingValues, siteUrl: string): MembersConfig | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, MEMBERS_ALLOWED: allowed } = values;
  if (issuer === undefined) return null;
  if (clientId === undefined) {
    throw new ConfigError('OIDC_CLIENT_ID is not set, but with OIDC_ISSUER it must be.');
  }
  if (allowed === undefined) {
    throw new ConfigError(
      'MEMBERS_ALLOWED is not set, but with OIDC_ISSUER it must say who may sign in: domains, addresses, claim=value, or * for everyone.',
    );
  }
  const isGithub = new URL(issuer).host === 'github.com';
  const scopes = values.OIDC_SCOPES ?? (isGithub ? 'read:user user:email' : 'openid email profile');
  if (!isGithub && !scopes.split(/ +/).includes('openid')) {
    throw new ConfigError(
      `OIDC_SCOPES is ${JSON.stringify(scopes)}, but openid must be among them.`,
    );
  }
  const site = new URL(siteUrl);
  if (site.protocol !== 'https:' && !isLoopback(site)) {
    throw new ConfigError(
      `SITE_URL is ${siteUrl}, but with OIDC_ISSUER it must be an https URL: cookies of members need it.`,
    );
  }
  return {
    issuer,
    isGithub,
    clientId,
    scopes,
    clientSecret: values.OIDC_CLIENT_SECRET ?? null,
    providerName: values.OIDC_NAME ?? (isGithub ? 'GitHub' : new URL(issuer).host),
    allowed,
    admins: values.ADMINS,
    keyDays: values.MEMBERS_KEY_DAYS,
  };
}
