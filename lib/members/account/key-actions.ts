import { isKeyName } from '#lib/keys/create-key-input.ts';
import { type IssuedKey, memberKeyBounds } from '#lib/keys/key-register.ts';
import type { Members } from '../members.ts';
import type { FormAction } from '../routes/account-route.ts';
import type { ProblemCode } from '../routes/problems.ts';
import { redirectTo } from '../routes/redirect-to.ts';
import { readKeyForm } from './key-form.ts';

type Action<P> = Parameters<FormAction<never, P>>[0];

export async function createMemberKey(
  { form, signedIn, members }: Action<unknown>,
  now: number,
): Promise<Response> {
  const { member } = signedIn;
  const input = readKeyForm(form, now);
  if (typeof input === 'string') return report(input);
  const issued = await members.account.createKey(member, input).catch(toNull);
  if (issued !== null) return show(issued, members);
  const { active, madeToday } = await members.account.countKeys(member);
  if (active >= memberKeyBounds.activeMax) return report('key-count');
  return report(madeToday >= memberKeyBounds.perDayMax ? 'key-pace' : 'key-taken');
}

export async function changeMemberKey({
  form,
  signedIn: { member },
  members,
  params: { id },
}: Action<{ id: string }>): Promise<Response> {
  const { account } = members;
  switch (form.get('action')) {
    case 'rotate': {
      const issued = await account.rotateKey(member, id).catch(toNull);
      return issued === null ? report('key-gone') : show(issued, members);
    }
    case 'rename': {
      const name = (form.get('name') ?? '').trim();
      if (!isKeyName(name)) return report('key-name');
      const rename = account.renameKey(member, id, name);
      const renamed = await rename.catch((error) => toNull(error) ?? 'taken');
      if (renamed === 'taken') return report('key-taken');
      return renamed === null ? report('key-gone') : redirectTo('/account#keys');
    }
    case 'revoke':
      // Twice is no problem: the key is revoked.
      await account.revokeKey(member, id).catch(toNull);
  }
  return redirectTo('/account#keys');
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
