import type { MembersConfig } from '#lib/config/members-config.ts';
import type { Log } from '#lib/http/log.ts';
import type { OwnerRule } from '#lib/keys/key-authenticator.ts';
import { createKeyRegister, type KeyRegister } from '#lib/keys/key-register.ts';
import { createKeyHasher, type KeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { waitForQuery } from '#lib/storage/wait-for-database.ts';
import { type Account, createAccount } from './account/account.ts';
import { createIdentities } from './member-identities.ts';
import { createSecurityLog, type SecurityLog } from './security-log.ts';
import { isAdmitted } from './sign-in/access-rules.ts';
import { createCookies, createNewKeyCookie, type NewKeyCookie } from './sign-in/cookies.ts';
import { createProvider } from './sign-in/provider.ts';
import { createSessions, type Sessions } from './sign-in/sessions.ts';
import { createSignIn, createSignInLimits, type SignIn } from './sign-in/sign-in.ts';
import { createStartedSignIns } from './sign-in/started-sign-ins.ts';
import type { AccountStores } from './store/stores.ts';

/** Accounts: sign-in, sessions, and what a member may do. */
export type Members = Readonly<{
  /** What people call the provider. */
  providerName: string;
  /** How many days after the last sign-in keys stop. */
  keyDays: number;
  signIn: SignIn;
  findSession: Sessions['find'];
  account: Account;
  /** What pages, like commands, make and change keys by. */
  register: KeyRegister;
  newKey: NewKeyCookie;
  security: SecurityLog;
  /** Origins that the account pages' forms lead to, for their Content-Security-Policy. */
  formTargets: () => Promise<readonly string[]>;
}>;

/** The settings that accounts depend on. */
type MembersSettings = Readonly<{
  /** Null: no accounts. */
  members: MembersConfig | null;
  site: Readonly<{ url: string }>;
  keys: Readonly<{ pepper: string | null; previousPepper: string | null }>;
  storage: Readonly<{ dataDir: string }>;
  /** How many proxies of ours are in front: see `readClientAddress`. */
  trustProxy: number;
}>;

type MembersParts = Readonly<{
  database: Pick<
    AccountStores,
    'members' | 'sessions' | 'keys' | 'usage' | 'balances' | 'rejections' | 'readList'
  >;
  now: () => number;
  log: Log;
}>;

const dayMs = 86_400_000;

/** Null without a provider to sign in at. */
export function createMembers(
  { members: settings, site, keys, storage, trustProxy: trustedHops }: MembersSettings,
  { database, now, log }: MembersParts,
): Members | null {
  if (settings === null) return null;
  const siteUrl = site.url;
  const cookies = createCookies(siteUrl);
  const provider = createProvider({ settings, siteUrl, now, log });
  const security = createSecurityLog({ log, trustedHops, now });
  const sessions = createSessions({ store: database.sessions, cookies, rules: settings, now });
  const pepper = { keyPepper: keys.pepper, dataDir: storage.dataDir };
  // At first use: a site that has no members yet needs no pepper.
  const toHash: KeyHasher = (text) => createKeyHasher(loadPepper(pepper))(text);
  const toIdentities = createIdentities({ keys, storage });
  const register = createKeyRegister({ keys: database.keys, now, toHash });
  return {
    providerName: settings.providerName,
    keyDays: settings.keyDays,
    signIn: createSignIn({
      settings,
      siteUrl,
      provider,
      sessions,
      startedSignIns: createStartedSignIns(cookies),
      spend: database.sessions.spendSignIn,
      limits: createSignInLimits({ trustedHops, now }),
      security,
      now,
      save: (member) => database.members.save(member, toIdentities(member)),
    }),
    findSession: (headers) => waitForQuery(sessions.find(headers)),
    account: createAccount({ database, register, toIdentities, now }),
    register,
    newKey: createNewKeyCookie(cookies),
    security,
    formTargets: provider.findOrigins,
  };
}

/**
 * Without accounts the keys of members go on working, since nobody can sign in again. With them, nobody confirms
 * the claims of a member who stays away, so their keys stop after a while.
 */
export function createOwnerRule(
  settings: Pick<MembersConfig, 'allowed' | 'keyDays'> | null,
): OwnerRule {
  return (owner) => {
    if (owner.isDisabled) return null;
    if (settings === null) return Number.POSITIVE_INFINITY;
    if (!isAdmitted(settings.allowed, owner)) return null;
    return owner.confirmedAt + settings.keyDays * dayMs;
  };
}
