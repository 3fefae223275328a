import * as oidc from 'openid-client';
import { z } from 'zod';
import type { MembersConfig } from '#lib/config/members-config.ts';
import type { AccessRule } from '#lib/config/setting-schemas.ts';
import { isAdmitted } from './access-rules.ts';
import { fetchBounded, type ProviderKind, timeoutSeconds } from './provider-kind.ts';

/** Base URLs of GitHub's OAuth, which is also the issuer that it names (RFC 9207), and of its API. */
export type GithubUrls = Readonly<{ oauth: string; api: string }>;

/** What tells its people from those of other providers. */
const githubIssuer = 'https://github.com';

const githubUrls: GithubUrls = {
  oauth: 'https://github.com/login/oauth',
  api: 'https://api.github.com',
};

const userSchema = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() });
const emailsSchema = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);
const organizationsSchema = z.array(z.object({ login: z.string() }));

type GithubSettings = Pick<
  MembersConfig,
  'clientId' | 'clientSecret' | 'scopes' | 'allowed' | 'admins'
>;

/** GitHub has no OpenID Connect for people: its API says who a token belongs to. */
export function createGithub(
  settings: GithubSettings,
  { oauth, api }: GithubUrls = githubUrls,
): ProviderKind {
  const { clientId, clientSecret, scopes } = settings;
  const server = {
    issuer: oauth,
    authorization_endpoint: `${oauth}/authorize`,
    token_endpoint: `${oauth}/access_token`,
  };
  const authentication = clientSecret === null ? oidc.None() : oidc.ClientSecretPost(clientSecret);
  const configuration = new oidc.Configuration(server, clientId, undefined, authentication);
  configuration.timeout = timeoutSeconds;
  configuration[oidc.customFetch] = fetchBounded;
  // Only tests have another GitHub, on this machine.
  if (api.startsWith('http:')) oidc.allowInsecureRequests(configuration);

  async function read<T>(path: string, token: string, schema: z.ZodType<T>): Promise<T> {
    const headers = new Headers({ accept: 'application/vnd.github+json' });
    const url = new URL(api + path);
    const response = await oidc.fetchProtectedResource(
      configuration,
      token,
      url,
      'GET',
      null,
      headers,
    );
    if (response.ok) return schema.parse(await response.json());
    await response.body?.cancel();
    const message = `GitHub's API responded ${response.status}.`;
    throw response.status >= 500 ? new oidc.ClientError(message) : new Error(message);
  }

  return {
    configure: async () => configuration,
    // It has nothing like it.
    againParameters: {},
    async readClaims(callbackUrl, { state, verifier }) {
      const { access_token: token } = await oidc.authorizationCodeGrant(
        configuration,
        callbackUrl,
        { expectedState: state, pkceCodeVerifier: verifier },
      );
      const [user, emails, organizations] = await Promise.all([
        read('/user', token, userSchema),
        read('/user/emails', token, emailsSchema),
        // Without the scope GitHub would list none, or respond with an error.
        scopes.split(/ +/).includes('read:org')
          ? read('/user/orgs?per_page=100', token, organizationsSchema)
          : [],
      ]);
      const address = chooseAddress(emails, settings);
      return {
        issuer: githubIssuer,
        // A login can be changed, and then be somebody else's.
        subject: String(user.id),
        name: user.name,
        preferred_username: user.login,
        login: user.login,
        email: address?.email,
        email_verified: address?.verified,
        orgs: organizations.map(({ login }) => login),
      };
    },
  };
}

/** A person has several addresses: the first verified one that a rule names, else the primary one. */
function chooseAddress(
  emails: z.infer<typeof emailsSchema>,
  { admins, allowed }: Pick<MembersConfig, 'admins' | 'allowed'>,
) {
  const sorted = emails.toSorted((a, b) => Number(b.primary) - Number(a.primary));
  const verified = sorted.filter((address) => address.verified);
  const findNamed = (rules: readonly AccessRule[]) => {
    const named = rules.filter(({ kind }) => kind === 'address' || kind === 'domain');
    return verified.find(({ email }) => isAdmitted(named, { email, claims: {} }));
  };
  return findNamed(admins) ?? findNamed(allowed) ?? sorted.find(({ primary }) => primary);
}
