import {
  catchErrors,
  type ErrorResponder,
  type RouteServices,
} from '#lib/http/errors/catch-errors.ts';
import { createApiError, type HttpError, toHttpError } from '#lib/http/errors/errors.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import { isStorageError, type StorageError } from '#lib/storage/storage-error.ts';
import type { Members } from '../members.ts';
import type { SignedIn } from '../sign-in/sessions.ts';
import { accountsUnreadable } from './problems.ts';
import { readForm, requireFormToken, requireOwnOrigin } from './read-form.ts';
import { redirectTo } from './redirect-to.ts';

type Services = RouteServices & Readonly<{ members: Members | null }>;
type Context<P> = Readonly<{ params: Promise<P> }>;
type Handler<P> = (request: Request, context: Context<P>) => Promise<Response>;
type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a form of the account pages does. */
export type FormAction<S, P> = (
  input: Readonly<{ form: URLSearchParams; signedIn: SignedIn; members: Members; params: P }>,
  services: S,
) => Promise<Response>;

const headers: HeaderFields = [...commonSecurityHeaders, ['Referrer-Policy', 'same-origin']];

/** A page or file that a browser opens. Without accounts there is none. */
export function createOpenRoute<S extends Services>(
  getServices: () => S,
  handle: (request: Request, members: Members) => Promise<Response>,
): Readonly<Record<Method, Handler<unknown>>> {
  return toMethods(getServices, 'GET', (request, members) => handle(request, members));
}

/** A file for the member who is signed in. */
export function createMemberRoute<S extends Services>(
  getServices: () => S,
  handle: (signedIn: SignedIn, members: Members) => Promise<Response>,
): Readonly<Record<Method, Handler<unknown>>> {
  return createOpenRoute(getServices, async (request, members) => {
    const signedIn = await members.findSession(request.headers);
    return signedIn === null
      ? redirectTo('/account?problem=signed-out')
      : handle(signedIn, members);
  });
}

/** A form of a member: from this site, with the session's token. */
export function createFormRoute<S extends Services, P>(
  getServices: () => S,
  act: FormAction<S, P>,
): Readonly<Record<Method, Handler<P>>> {
  return toMethods<S, P>(getServices, 'POST', async (request, members, context, services) => {
    requireOwnOrigin(request, services.site.url);
    const form = await readForm(request);
    const signedIn = await members.findSession(request.headers);
    if (signedIn === null) return redirectTo('/account?problem=signed-out');
    requireFormToken(form.get('token'), signedIn);
    return act({ form, signedIn, members, params: await context.params }, services);
  });
}

/** A form of the admin pages. For anybody else who is signed in there is no such URL. */
export function createAdminRoute<S extends Services, P>(
  getServices: () => S,
  act: FormAction<S, P>,
): Readonly<Record<Method, Handler<P>>> {
  return createFormRoute<S, P>(getServices, async (input, services) => {
    if (input.signedIn.isAdmin) return act(input, services);
    throw createApiError('not_found', { message: 'There is no such page.' });
  });
}

/** One method (and HEAD with GET); 405 for the others, 404 without accounts. */
export function toMethods<S extends Services, P>(
  getServices: () => S,
  method: 'GET' | 'POST',
  handle: (
    request: Request,
    members: Members,
    context: Context<P>,
    services: S,
  ) => Promise<Response>,
): Readonly<Record<Method, Handler<P>>> {
  const route: Handler<P> = (request, context) =>
    catchErrors({ request, services: getServices(), toErrorResponse, headers }, (services) => {
      const { members } = services;
      if (members === null) {
        throw createApiError('not_found', { message: 'This site has no accounts.' });
      }
      const isAllowed =
        request.method === method || (request.method === 'HEAD' && method === 'GET');
      if (!isAllowed) throw methodNotAllowed(method);
      return handle(request, members, context, services);
    });
  return {
    GET: route,
    HEAD: route,
    POST: route,
    OPTIONS: route,
    PUT: route,
    PATCH: route,
    DELETE: route,
  };
}

function methodNotAllowed(method: 'GET' | 'POST'): HttpError {
  const allow = method === 'GET' ? 'GET, HEAD' : 'POST';
  return createApiError('method_not_allowed', {
    message: `Use ${allow}.`,
    headers: { Allow: allow },
  });
}

/** People read these, in a browser. */
const toErrorResponse: ErrorResponder<Services> = (thrown) => {
  const failure = isStorageError(thrown) ? toUnavailable(thrown) : toHttpError(thrown);
  const response = createResponse({
    status: failure.status,
    headers: [
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['Cache-Control', 'private, no-store'],
      ...Object.entries(failure.headers),
    ],
    body: `${[failure.message, failure.hint].filter(Boolean).join(' ')}\n`,
  });
  return { failure, response };
};

function toUnavailable(cause: StorageError) {
  return {
    status: 503,
    code: null,
    reason: 'accounts_unreadable',
    cause,
    message: accountsUnreadable,
    hint: null,
    headers: { 'Retry-After': '2' },
  };
}
