import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import { listen } from '../listen.ts';
import { createMemoryAdapters } from './memory-adapter.ts';
import { toPeoplePage, toSignOutPage } from './people-page.ts';

/** A person who can sign in. */
export type Person = Readonly<{
  subject: string;
  name: string;
  email: string | null;
  isVerified: boolean;
  /** Further claims. */
  claims?: Readonly<Record<string, unknown>>;
}>;

export type IdentityServer = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  people: readonly Person[];
  close: () => Promise<void>;
}>;

export type IdentityServerOptions = Readonly<{
  /** The site whose members sign in here. */
  siteUrl: string;
  people?: readonly Person[];
  /** By default any free port. */
  port?: number;
}>;

export const demoPeople: readonly Person[] = [
  { subject: 'ada', name: 'Ada Moreno', email: 'ada@makers.example', isVerified: true },
  { subject: 'root', name: 'Robin Osei', email: 'robin@makers.example', isVerified: true },
];

const claimsByScope = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name'],
  groups: ['groups'],
};

/** Starts a real OpenID Connect provider on this machine; a click on a name signs in. */
export async function startIdentityServer(options: IdentityServerOptions): Promise<IdentityServer> {
  const { siteUrl, people = demoPeople } = options;
  const client = { clientId: 'marquee-demo', clientSecret: randomBytes(24).toString('base64url') };
  const server = createServer();
  const { url: issuer, close } = await listen(server, options.port);
  const provider = createProvider({ issuer, siteUrl, people, ...client });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    const isChoice = request.url?.startsWith('/people/') ?? false;
    const answer = isChoice
      ? choosePerson(provider, people, request, response)
      : handle(request, response);
    Promise.resolve(answer).catch(() => response.destroy());
  });
  return { issuer, people, ...client, close };
}

type ProviderOptions = Readonly<{
  issuer: string;
  siteUrl: string;
  people: readonly Person[];
  clientId: string;
  clientSecret: string;
}>;

function createProvider(options: ProviderOptions): Provider {
  const { issuer, siteUrl, people, clientId, clientSecret } = options;
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${siteUrl}/sign-in/callback`],
        post_logout_redirect_uris: [`${siteUrl}/account`],
      },
    ],
    // The provider warns about each of these that it must choose itself.
    adapter: createMemoryAdapters(),
    jwks: { keys: [createSigningKey()] },
    ttl: secondsToLive,
    claims: claimsByScope,
    scopes: ['openid', 'email', 'profile', 'groups'],
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        // The form ends the session; its own page would load fonts from elsewhere.
        logoutSource(context, form) {
          context.body = toSignOutPage(form);
        },
      },
    },
    interactions: { url: (_, interaction) => `/people/${interaction.uid}` },
    findAccount: (_, subject) => {
      const person = people.find((person) => person.subject === subject);
      return person && { accountId: subject, claims: async () => toClaims(person) };
    },
    // Skips the consent page.
    async loadExistingGrant(context) {
      const { client, session } = context.oidc;
      const accountId = session?.accountId;
      if (client === undefined || accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  });
  return provider;
}

const hourSeconds = 3600;
const secondsToLive = {
  AccessToken: hourSeconds,
  AuthorizationCode: 60,
  Grant: 24 * hourSeconds,
  IdToken: hourSeconds,
  Interaction: hourSeconds,
  Session: 24 * hourSeconds,
};

function createSigningKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };
}

function toClaims({ subject, name, email, isVerified, claims }: Person) {
  return {
    sub: subject,
    name,
    ...claims,
    ...(email !== null && { email, email_verified: isVerified }),
  };
}

/** Shows the people, and signs in the one that the form names. */
async function choosePerson(
  provider: Provider,
  people: readonly Person[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(toPeoplePage(people));
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const accountId = new URLSearchParams(Buffer.concat(chunks).toString()).get('person') ?? '';
  const result =
    accountId === ''
      ? { error: 'access_denied', error_description: 'Nobody was chosen.' }
      : { login: { accountId } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}
