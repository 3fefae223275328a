import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a real provider would never do, and a broken or hostile one does. */
export type Misbehaviour = {
  /** The issuer of its discovery document. */
  discoveredIssuer?: string;
  /** How far its clock is ahead, in ms. */
  clockMs?: number;
  /** Claims of the ID token, instead of its own. */
  claims?: Readonly<Record<string, unknown>>;
  /** No endpoint responds. */
  isHanging?: boolean;
  /** The token endpoint closes the connection. */
  isTokenEndpointDown?: boolean;
};

export type FakeProvider = Readonly<{
  issuer: string;
  /** Settings for members to sign in there. */
  environment: Readonly<Record<string, string>>;
  misbehave: (how: Misbehaviour) => void;
  close: () => Promise<void>;
}>;

/** An OpenID Connect provider that signs everybody in at once, as Ada, and has no userinfo endpoint. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const nonces = new Map<string, string>();
  let how: Misbehaviour = {};

  function toIdToken(nonce: string): string {
    const at = Math.floor((Date.now() + (how.clockMs ?? 0)) / 1000);
    const claims = {
      iss: issuer,
      aud: 'site',
      sub: 'ada',
      nonce,
      iat: at,
      exp: at + 300,
      name: 'Ada Moreno',
      email: 'ada@makers.example',
      email_verified: true,
      ...how.claims,
    };
    const parts = [{ alg: 'RS256', kid: 'one' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const signature = sign('sha256', Buffer.from(parts.join('.')), privateKey);
    return [...parts, signature.toString('base64url')].join('.');
  }

  function authorize(search: URLSearchParams, response: ServerResponse): void {
    const code = `code-${nonces.size}`;
    nonces.set(code, search.get('nonce') ?? '');
    const back = new URL(search.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code, state: search.get('state') ?? '' }).toString();
    response.writeHead(303, { Location: back.href });
    response.end();
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (how.isTokenEndpointDown) {
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const code = new URLSearchParams(Buffer.concat(chunks).toString()).get('code') ?? '';
    const id_token = toIdToken(nonces.get(code) ?? '');
    respond(response, { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token });
  }

  const server = createServer((request, response) => {
    if (how.isHanging) return;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return respond(response, {
          issuer: how.discoveredIssuer ?? issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          id_token_signing_alg_values_supported: ['RS256'],
        });
      case '/keys':
        return respond(response, {
          keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }],
        });
      case '/authorize':
        return authorize(searchParams, response);
      default:
        return exchange(request, response);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'site', OIDC_CLIENT_SECRET: 'secret' },
    misbehave(next) {
      how = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function respond(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}
