import { isHttpError } from '#lib/http/errors/errors.ts';
import { isKeyName } from '#lib/keys/create-key-input.ts';
import type { IssuedKey, KeyProblem } from '#lib/keys/key-register.ts';
import type { Members } from '../members.ts';
import type { FormAction } from '../routes/account-route.ts';
import type { ProblemCode } from '../routes/problems.ts';
import { redirectTo } from '../routes/redirect-to.ts';
import { readKeyForm } from './key-form.ts';

type Action<P> = Parameters<FormAction<never, P>>[0];

export function createMemberKey(
  { form, signedIn, members }: Action<unknown>,
  now: number,
): Promise<Response> {
  return reportProblem(async () => {
    const input = readKeyForm(form, now);
    if (typeof input === 'string') return report(input);
    return show(await members.account.createKey(signedIn.member, input), members);
  });
}

export function changeMemberKey({
  form,
  signedIn: { member },
  members,
  params: { id },
}: Action<{ id: string }>): Promise<Response> {
  const { account } = members;
  return reportProblem(async () => {
    switch (form.get('action')) {
      case 'rotate':
        return show(await account.rotateKey(member, id), members);
      case 'rename': {
        const name = (form.get('name') ?? '').trim();
        if (!isKeyName(name)) return report('key-name');
        await account.renameKey(member, id, name);
        break;
      }
      case 'revoke':
        // Twice is no problem: the key is revoked.
        await account.revokeKey(member, id).catch(toProblem);
    }
    return redirectTo('/account#keys');
  });
}

function show({ text }: IssuedKey, { newKey }: Members): Response {
  return redirectTo('/account', [newKey.write(text)]);
}

function report(problem: ProblemCode): Response {
  return redirectTo(`/account?problem=${problem}`);
}

async function reportProblem(act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    return report(toProblem(error));
  }
}

const problems: Readonly<Partial<Record<KeyProblem, ProblemCode>>> = {
  not_found: 'key-gone',
  key_revoked: 'key-gone',
  key_expired: 'key-gone',
  key_taken: 'key-taken',
  too_many_keys: 'key-count',
  too_many_keys_today: 'key-pace',
};

/** What a person did wrong; a database that is away is an error of ours, and thrown again. */
function toProblem(error: unknown): ProblemCode {
  const problem = isHttpError(error) ? problems[error.code as KeyProblem] : undefined;
  if (problem === undefined) throw error;
  return problem;
}
