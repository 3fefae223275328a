import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { GithubUrls } from '#lib/accounts/sign-in/github.ts';
import { listenOnLoopback } from '../servers/loopback-server.ts';

type Body = object | readonly object[];

/** GitHub's OAuth and API as they are documented, for one person. */
type FakeGithub = Readonly<{
  urls: GithubUrls;
  /** What a browser comes back with that was sent to this URL. */
  authorize: (signInUrl: string) => URL;
  /** Responses of the API by path. */
  api: Record<string, Readonly<{ status: number; body: Body }>>;
  close: () => Promise<void>;
}>;

const token = 'gho_0123456789';

export async function startFakeGithub(): Promise<FakeGithub> {
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  const api: FakeGithub['api'] = {
    '/user': { status: 200, body: { id: 4201, login: 'ada', name: 'Ada Moreno', email: null } },
    '/user/emails': {
      status: 200,
      body: [
        { email: 'ada@old.example', primary: false, verified: true, visibility: null },
        { email: 'ada@makers.example', primary: true, verified: true, visibility: 'private' },
      ],
    },
    '/user/orgs': { status: 200, body: [{ id: 1, login: 'harbour-makers' }] },
  };

  async function exchange(request: IncomingMessage): Promise<Body> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const known = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    const isRight =
      form.get('client_id') === 'Iv1.site' &&
      form.get('client_secret') === 'secret-of-the-site' &&
      form.get('redirect_uri') === known?.redirectUri &&
      verifier.digest('base64url') === known?.challenge;
    // GitHub's errors have the status 200, and without this header it responds with a form.
    if (request.headers.accept !== 'application/json') return { not: 'json' };
    if (!isRight) return { error: 'bad_verification_code', error_description: 'It is incorrect.' };
    return { access_token: token, scope: 'read:user,user:email', token_type: 'bearer' };
  }

  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const isOwn =
      request.headers.authorization?.toLowerCase() === `bearer ${token}` &&
      request.headers['user-agent'] !== undefined;
    const known = isOwn ? api[path.replace('/api', '')] : undefined;
    const { status, body } =
      path === '/login/oauth/access_token'
        ? { status: 200, body: await exchange(request) }
        : (known ?? { status: 401, body: { message: 'Bad credentials' } });
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
  });
  const { url, close } = await listenOnLoopback(server);
  const urls = { oauth: `${url}/login/oauth`, api: `${url}/api` };
  return {
    urls,
    api,
    authorize(signInUrl) {
      const { searchParams: asked } = new URL(signInUrl);
      const code = `code-${codes.size + 1}`;
      const redirectUri = asked.get('redirect_uri') ?? '';
      codes.set(code, { challenge: asked.get('code_challenge') ?? '', redirectUri });
      const back = new URL(redirectUri);
      const state = asked.get('state') ?? '';
      back.search = new URLSearchParams({ code, state, iss: urls.oauth }).toString();
      return back;
    },
    close,
  };
}
