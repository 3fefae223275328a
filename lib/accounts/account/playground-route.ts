import type { AiProxy } from '#lib/ai-proxy/ai-proxy.ts';
import { toOpenAiErrorResponse } from '#lib/ai-proxy/error-response.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import {
  catchErrors,
  createRoute,
  type Handle,
  type Route,
  type RouteServices,
} from '#lib/http/route.ts';
import { toKeyOwner } from '#lib/keys/store/key-record.ts';
import type { Members } from '../members.ts';
import { accountStyle, requireMembers } from '../routes/account-route.ts';
import { requireFormToken, requireOwnOrigin } from '../routes/read-form.ts';
import { toPlaygroundKeyId } from './playground-key.ts';

type Services = RouteServices &
  Readonly<{ members: Members | null; aiProxy: Pick<AiProxy, 'generateFor'> }>;

/** The session in place of a key, on this site alone: the proxy itself never reads cookies. */
export function createPlaygroundRoute(getServices: () => Services): Route<{ api: string }> {
  const generate: Handle<Services, { api: string }> = async (request, services, { api }) => {
    const members = requireMembers(services.members);
    if (api !== 'chat' && api !== 'responses' && api !== 'messages') {
      throw createApiError('not_found', { message: 'There is no such API.' });
    }
    requireOwnOrigin(request, services.site.url, members.security);
    const signedIn = await members.findSession(request.headers);
    if (signedIn === null) {
      throw createApiError('unauthorized', { message: 'Your session has ended.' });
    }
    requireFormToken(request.headers.get('x-form-token'), signedIn);
    const { member } = signedIn;
    const key = {
      id: toPlaygroundKeyId(member.id),
      name: 'Playground',
      owner: toKeyOwner(member),
    };
    // From here on errors are those of the proxy, which the playground explains.
    const options = { request, services, toErrorResponse: toOpenAiErrorResponse, headers: [] };
    return catchErrors(options, () => services.aiProxy.generateFor(request, api, key));
  };
  return createRoute(getServices, { POST: generate }, accountStyle);
}
