import { createApiError, toHttpError } from '#lib/http/errors/errors.ts';
import { createResponse } from '#lib/http/response.ts';
import {
  createRoute,
  type Handle,
  type Route,
  type RouteServices,
  type RouteStyle,
} from '#lib/http/route.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import { isStorageError, type StorageError } from '#lib/storage/storage-error.ts';
import {
  type ListServices,
  type ListView,
  respondWithList,
  toListSource,
} from '../lists/list-view.ts';
import type { Members } from '../members.ts';
import type { SignedIn } from '../sign-in/sessions.ts';
import { accountsUnreadable } from './problems.ts';
import { readForm, requireFormToken, requireOwnOrigin } from './read-form.ts';
import { redirectTo, redirectToSignInAgain } from './redirect-to.ts';

type Services = RouteServices & Readonly<{ members: Members | null }>;

/** What a form of the account pages does. */
export type FormAction<S, P> = (
  input: Readonly<{ form: URLSearchParams; signedIn: SignedIn; members: Members; params: P }>,
  services: S,
) => Promise<Response>;

/** A page or file that a browser opens. */
export function createOpenRoute<S extends Services>(
  getServices: () => S,
  handle: (request: Request, members: Members) => Promise<Response>,
): Route {
  const read: Handle<S> = (request, { members }) => handle(request, requireMembers(members));
  return createRoute(getServices, { GET: read }, accountStyle);
}

/** A file for the member who is signed in. */
export function createMemberRoute<S extends Services>(
  getServices: () => S,
  handle: (signedIn: SignedIn, members: Members, request: Request) => Promise<Response>,
): Route {
  return createOpenRoute(getServices, async (request, members) => {
    const signedIn = await members.findSession(request.headers);
    return signedIn === null
      ? redirectTo('/account?problem=signed-out')
      : handle(signedIn, members, request);
  });
}

/** A file for admins. For anybody else who is signed in there is no such URL. */
export function createAdminFileRoute<S extends Services>(
  getServices: () => S,
  handle: (query: Readonly<Record<string, string>>, services: S) => Promise<Response>,
): Route {
  const read: Handle<S> = async (request, services) => {
    const members = requireMembers(services.members);
    const signedIn = await members.findSession(request.headers);
    if (signedIn === null) return redirectTo('/account?problem=signed-out');
    rejectMember(signedIn, members);
    const query = readSearchParameters(searchOf(request.url));
    return handle(Object.fromEntries(query), services);
  };
  return createRoute(getServices, { GET: read }, accountStyle);
}

/** A list of the admin pages as a file. */
export function createAdminListRoute<Row, Sort extends string, Filter extends string>(
  getServices: () => Services & ListServices,
  list: ListView<Row, Sort, Filter>,
): Route {
  return createAdminFileRoute(getServices, (values, services) =>
    respondWithList(list, toListSource(services), values),
  );
}

/** @throws HttpError 404 for those who are no admins. */
function rejectMember(signedIn: SignedIn, { security }: Members): void {
  if (signedIn.isAdmin) return;
  security.adminRejected(signedIn);
  throw createApiError('not_found', { message: 'There is no such page.' });
}

type FormRouteOptions = Readonly<{
  /** How long ago the member may have signed in; by default that does not matter. */
  signedInWithinMs?: (form: URLSearchParams) => number;
}>;

/** For admin changes and new keys: an open browser that somebody finds allows neither. */
export const changeWithinMs = 12 * 3_600_000;
/** For what cannot be undone. */
export const deleteWithinMs = 15 * 60_000;

/** A form of a member: from this site, with the session's token. */
export function createFormRoute<S extends Services, P>(
  getServices: () => S,
  act: FormAction<S, P>,
  { signedInWithinMs = () => Number.POSITIVE_INFINITY }: FormRouteOptions = {},
): Route<P> {
  return createSignedInRoute(getServices, async (request, input, services) =>
    input.signedIn.ageMs > signedInWithinMs(input.form)
      ? redirectToSignInAgain(request)
      : act(input, services),
  );
}

/** A form of the admin pages. For anybody else who is signed in there is no such URL. */
export function createAdminRoute<S extends Services, P>(
  getServices: () => S,
  act: FormAction<S, P>,
): Route<P> {
  return createSignedInRoute<S, P>(getServices, async (request, input, services) => {
    const { signedIn, members } = input;
    rejectMember(signedIn, members);
    return signedIn.ageMs > changeWithinMs ? redirectToSignInAgain(request) : act(input, services);
  });
}

function createSignedInRoute<S extends Services, P>(
  getServices: () => S,
  act: (request: Request, ...input: Parameters<FormAction<S, P>>) => Promise<Response>,
): Route<P> {
  const submit: Handle<S, P> = async (request, services, params) => {
    const members = requireMembers(services.members);
    requireOwnOrigin(request, services.site.url, members.security);
    const form = await readForm(request);
    const signedIn = await members.findSession(request.headers);
    if (signedIn === null) return redirectTo('/account?problem=signed-out');
    requireFormToken(form.get('token'), signedIn);
    return act(request, { form, signedIn, members, params }, services);
  };
  return createRoute(getServices, { POST: submit }, accountStyle);
}

/** @throws HttpError 404 without accounts. */
export function requireMembers(members: Members | null): Members {
  if (members !== null) return members;
  throw createApiError('not_found', { message: 'This site has no accounts.' });
}

/** People read the errors, in a browser. @param unreadable what they read while the database is away. */
export function createFormStyle(
  unreadable: string,
): Pick<RouteStyle<RouteServices>, 'headers' | 'rejectMethod' | 'toErrorResponse'> {
  return {
    headers: [...commonSecurityHeaders, ['Referrer-Policy', 'same-origin']],
    rejectMethod: (_, allowed) =>
      createApiError('method_not_allowed', {
        message: `Use ${allowed}.`,
        headers: { Allow: allowed },
      }),
    toErrorResponse(thrown) {
      const failure = isStorageError(thrown)
        ? toUnavailable(thrown, unreadable)
        : toHttpError(thrown);
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
    },
  };
}

export const accountStyle: RouteStyle<Services> = {
  ...createFormStyle(accountsUnreadable),
  // Without accounts no method leads anywhere.
  check: (_, { members }) => void requireMembers(members),
};

function toUnavailable(cause: StorageError, message: string) {
  return {
    status: 503,
    code: null,
    reason: 'database_unreadable',
    cause,
    message,
    hint: null,
    headers: { 'Retry-After': '2' },
  };
}
