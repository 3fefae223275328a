import type { IssuedKey } from '#lib/ai-proxy/keys/key-register.ts';
import type { Members } from '../members.ts';
import type { FormAction } from '../routes/account-route.ts';
import type { ProblemCode } from '../routes/problems.ts';
import { redirectTo } from '../routes/redirect-to.ts';
import { readKeyForm } from './key-form.ts';

type Action<P> = Parameters<FormAction<never, P>>[0];

/** More are a mistake, or somebody who collects them. */
export const keysMax = 20;
/** Revoked ones stay stored, for their usage. */
const keysPerDayMax = 100;

export async function createMemberKey(
  { form, signedIn, members }: Action<unknown>,
  now: number,
): Promise<Response> {
  const { member } = signedIn;
  const input = readKeyForm(form, now);
  if (typeof input === 'string') return report(input);
  const { listed, madeToday } = await members.account.countKeys(member);
  if (listed >= keysMax) return report('key-count');
  if (madeToday >= keysPerDayMax) return report('key-pace');
  const issued = await members.account.createKey(member, input).catch(toNull);
  return issued === null ? report('key-taken') : show(issued, members);
}

export async function changeMemberKey({
  form,
  signedIn,
  members,
  params,
}: Action<{ id: string }>): Promise<Response> {
  const { account } = members;
  const { member } = signedIn;
  switch (form.get('action')) {
    case 'rotate': {
      const issued = await account.rotateKey(member, params.id).catch(toNull);
      return issued === null ? report('key-gone') : show(issued, members);
    }
    case 'rename': {
      const name = (form.get('name') ?? '').trim();
      const renamed = await account.renameKey(member, params.id, name).catch(toNull);
      return renamed === null ? report('key-name') : redirectTo('/account#keys');
    }
    case 'revoke':
      await account.revokeKey(member, params.id);
      return redirectTo('/account#keys');
    default:
      return redirectTo('/account#keys');
  }
}

function show({ text }: IssuedKey, { newKey }: Members): Response {
  return redirectTo('/account', [newKey.write(text)]);
}

function report(problem: ProblemCode): Response {
  return redirectTo(`/account?problem=${problem}`);
}

/** What a person did wrong has a message; a database that is away is an error of ours. */
function toNull(error: unknown): null {
  if (error instanceof Error && error.name === 'Error') return null;
  throw error;
}
