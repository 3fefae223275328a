import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../servers/loopback-server.ts';

/** What a real provider would never do, and a broken or hostile one does. */
export type Misbehaviour = {
  /** The issuer of its discovery document. */
  discoveredIssuer?: string;
  /** How far its clock is ahead, in ms. */
  clockMs?: number;
  /** Claims of the ID token, instead of its own. */
  claims?: Readonly<Record<string, unknown>>;
  /** The header of the ID token. */
  header?: Readonly<Record<string, unknown>>;
  /** Which key signs: by default the first one, which is the only one in its key set unless `keys` says otherwise. */
  signer?: 'first' | 'second' | 'nobody' | 'the public key as a secret';
  /** What its key set is, or does. */
  keys?: 'both' | 'hanging' | 'too large' | 'missing';
  /** What its userinfo endpoint responds with; by default it has none. */
  userInfo?: Readonly<Record<string, unknown>>;
  /** The status of that response. */
  userInfoStatus?: number;
  /** Whether its userinfo is a signed token. */
  isUserInfoSigned?: boolean;
  /** Whether it names itself when it redirects back (RFC 9207), and says that it does. */
  namesIssuer?: boolean;
  /** What it says that it signs with. */
  algorithms?: readonly string[];
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
  /** Paths and queries of all requests so far. */
  requests: readonly string[];
  close: () => Promise<void>;
}>;

const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** An OpenID Connect provider that signs everybody in at once, as Ada. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const [first, second] = [makeKeys(), makeKeys()];
  const nonces = new Map<string, string>();
  const requests: string[] = [];
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
    return toJwt(claims);
  }

  function toJwt(claims: object): string {
    const parts = [{ alg: 'RS256', kid: 'one', ...how.header }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    return [...parts, toSignature(Buffer.from(parts.join('.'))).toString('base64url')].join('.');
  }

  function respondWithUserInfo(response: ServerResponse): void {
    const claims = { sub: 'ada', ...how.userInfo };
    if (how.isUserInfoSigned) {
      response.writeHead(200, { 'Content-Type': 'application/jwt' });
      response.end(toJwt({ iss: issuer, aud: 'site', ...claims }));
    } else {
      respond(response, claims, how.userInfoStatus);
    }
  }

  function toSignature(text: Buffer): Buffer {
    switch (how.signer) {
      case 'nobody':
        return Buffer.alloc(0);
      case 'the public key as a secret': {
        const secret = first.publicKey.export({ type: 'spki', format: 'pem' });
        return createHmac('sha256', secret).update(text).digest();
      }
      default:
        return sign('sha256', text, how.signer === 'second' ? second.privateKey : first.privateKey);
    }
  }

  function respondWithKeys(response: ServerResponse): void {
    if (how.keys === 'hanging') return;
    const keys = [
      { ...first.publicKey.export({ format: 'jwk' }), kid: 'one' },
      { ...second.publicKey.export({ format: 'jwk' }), kid: 'two' },
    ];
    respond(response, {
      keys: how.keys === 'both' ? keys : keys.slice(0, 1),
      ...(how.keys === 'too large' && { more: 'x'.repeat(10e6) }),
    });
  }

  function authorize(search: URLSearchParams, response: ServerResponse): void {
    const code = `code-${nonces.size}`;
    nonces.set(code, search.get('nonce') ?? '');
    const back = new URL(search.get('redirect_uri') ?? '');
    const parameters = {
      code,
      state: search.get('state') ?? '',
      ...(how.namesIssuer && { iss: issuer }),
    };
    back.search = new URLSearchParams(parameters).toString();
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
    requests.push(request.url ?? '');
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return respond(response, {
          issuer: how.discoveredIssuer ?? issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          ...(how.keys !== 'missing' && { jwks_uri: `${issuer}/keys` }),
          ...(how.userInfo !== undefined && { userinfo_endpoint: `${issuer}/userinfo` }),
          ...(how.isUserInfoSigned && { userinfo_signing_alg_values_supported: ['RS256'] }),
          ...(how.namesIssuer && { authorization_response_iss_parameter_supported: true }),
          id_token_signing_alg_values_supported: how.algorithms ?? ['RS256'],
        });
      case '/keys':
        return respondWithKeys(response);
      case '/userinfo':
        return respondWithUserInfo(response);
      case '/authorize':
        return authorize(searchParams, response);
      default:
        return exchange(request, response);
    }
  });
  const { url: issuer, close } = await listenOnLoopback(server);
  return {
    issuer,
    environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'site', OIDC_CLIENT_SECRET: 'secret' },
    requests,
    misbehave(next) {
      how = next;
    },
    close,
  };
}

function respond(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}
