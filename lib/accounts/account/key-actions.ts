import { isHttpError } from '#lib/http/errors/errors.ts';
import { type CreateKeyInput, isKeyName, isModelPattern } from '#lib/keys/create-key-input.ts';
import type { IssuedKey, KeyProblem } from '#lib/keys/key-register.ts';
import type { Members } from '../members.ts';
import type { FormAction } from '../routes/account-route.ts';
import type { DoneCode, ProblemCode } from '../routes/problems.ts';
import { readBudget } from '../routes/read-form.ts';
import { redirectTo } from '../routes/redirect-to.ts';

type Action<P> = Parameters<FormAction<never, P>>[0];

export function createMemberKey(
  { form, signedIn, members }: Action<unknown>,
  now: number,
): Promise<Response> {
  return reportProblem(async () => {
    const input = readKeyForm(form, now);
    if (typeof input === 'string') return report(input, pickTyped(form));
    return show(await members.account.createKey(signedIn.member, input), members);
  }, pickTyped(form));
}

const fields = ['name', 'budget', 'expires', 'models'];
const modelsMax = 50;

/** What was typed, for the form to have it after a problem. */
function pickTyped(form: URLSearchParams): [name: string, value: string][] {
  return fields.flatMap((name) =>
    form
      .getAll(name)
      .slice(0, modelsMax)
      .filter((value) => value !== '')
      .map((value): [string, string] => [name, value]),
  );
}

export function changeMemberKey({
  form,
  signedIn: { member },
  members,
  params: { id },
}: Action<{ id: string }>): Promise<Response> {
  const { account } = members;
  const isConfirmed = form.get('confirm') === 'yes';
  const typed: [string, string][] = [
    ['key', id],
    ['name', form.get('name') ?? ''],
  ];
  return reportProblem(async () => {
    switch (form.get('action')) {
      case 'rotate':
        if (!isConfirmed) return report('key-confirm');
        return show(await account.rotateKey(member, id), members);
      case 'rename': {
        const name = (form.get('name') ?? '').trim();
        if (!isKeyName(name)) return report('key-name', typed);
        await account.renameKey(member, id, name);
        return finish('key-renamed');
      }
      case 'revoke':
        if (!isConfirmed) return report('key-confirm');
        // Twice is no problem: the key is revoked.
        await account.revokeKey(member, id).catch(toProblem);
        return finish('key-revoked');
      default:
        return redirectTo('/account#keys');
    }
  }, typed);
}

function show({ text }: IssuedKey, { newKey }: Members): Response {
  return redirectTo('/account', [newKey.write(text)]);
}

function finish(done: DoneCode): Response {
  return redirectTo(`/account?done=${done}`);
}

type Typed = readonly [name: string, value: string][];

function report(problem: ProblemCode, typed: Typed = []): Response {
  return redirectTo(`/account?${new URLSearchParams([['problem', problem], ...typed])}`);
}

async function reportProblem(act: () => Promise<Response>, typed: Typed): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    return report(toProblem(error), typed);
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

const dayMs = 86_400_000;

/** Reads the form that creates a key; a problem where a field is invalid. */
export function readKeyForm(form: URLSearchParams, now: number): CreateKeyInput | ProblemCode {
  const name = (form.get('name') ?? '').trim();
  if (!isKeyName(name)) return 'key-name';
  const expiresAt = readExpiry(form.get('expires') ?? '', now);
  if (expiresAt === undefined) return 'key-expiry';
  const budget = readBudget(form);
  if (budget === undefined) return 'key-budget';
  const models = form.getAll('models').filter((model) => model !== '');
  if (!models.every(isModelPattern)) return 'key-models';
  return {
    name,
    budget,
    expiresAt,
    models: models.length === 0 ? null : models,
    // An operator's settings hold for these.
    tokensPerDay: null,
    requestsPerMinute: null,
  };
}

/** A number of days from now. */
function readExpiry(text: string, now: number): number | null | undefined {
  if (text === '') return null;
  if (!/^\d{1,4}$/.test(text)) return undefined;
  const days = Number(text);
  return days >= 1 ? now + days * dayMs : undefined;
}
