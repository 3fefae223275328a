import type { Environment } from '#lib/config/config.ts';
import { type IdentityServer, startIdentityServer } from '#lib/demo/identity/identity-server.ts';

export type DemoIdentity = Readonly<{
  /** Settings for members to sign in there. */
  environment: Environment;
  people: IdentityServer['people'];
  close: () => Promise<void>;
}>;

/** Starts the demo's OpenID Connect provider, beside the site, so that members stay the same. */
export async function startDemoIdentity(siteUrl: string, port: number): Promise<DemoIdentity> {
  const server = await startIdentityServer({ siteUrl, port }).catch(() =>
    startIdentityServer({ siteUrl }),
  );
  return {
    environment: {
      OIDC_ISSUER: server.issuer,
      OIDC_CLIENT_ID: server.clientId,
      OIDC_CLIENT_SECRET: server.clientSecret,
      OIDC_NAME: 'a demo account',
      MEMBERS_ALLOWED: 'makers.example',
      ADMINS: 'robin@makers.example',
    },
    people: server.people,
    close: server.close,
  };
}
