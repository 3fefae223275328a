import { problems as accountProblems, findProblem } from '../routes/problems.ts';
import type { AccountStores } from '../store/stores.ts';

/** What an admin page says when something did not work, by the `problem` of its URL. */
const problems = {
  budget:
    'Write a budget like this: 5 USD/day, 50 USD/month, 200,000 tokens/day; or none. Nothing was changed.',
  'group-name': 'A group’s name has 1 to 100 characters, on one line. Nothing was changed.',
  'group-taken':
    'There is a group with that name already. Choose another name, or change the budget of that group. Nothing was changed.',
  'no-group': 'This group was removed in the meantime. Nothing was changed.',
  'no-member': 'This member was deleted in the meantime. Nothing was changed.',
  'no-key': 'That key has been revoked already.',
  'operator-key':
    'This key belongs to the operator: revoke it with `npm run keys -- revoke`. Nothing was changed.',
  'send-again': accountProblems['send-again'],
  confirm: 'Tick the box first. Nothing was changed.',
  'webhook-url':
    'This URL can’t be used. It must be https, on port 443 or 8443, with a host on the internet, unless WEBHOOK_HOSTS lists it. Nothing was changed.',
  'webhook-name': 'A webhook’s name has 1 to 100 characters, on one line. Nothing was changed.',
  'webhook-types':
    'Types are event.added, event.changed, event.removed, event.* and alert.*, separated by commas. Nothing was changed.',
  'webhook-filter':
    'Write a filter as the list of events takes it, such as city=ghent&format=online. Nothing was changed.',
  'webhook-count': 'There are 100 webhooks already: remove one first. Nothing was changed.',
  'no-webhook': 'This webhook was removed in the meantime. Nothing was changed.',
  'no-delivery': 'That delivery is on its way already, or is not listed any more.',
  'no-fact': 'That was forgotten already. Nothing was changed.',
  self: 'You cannot disable yourself. Ask another admin.',
} as const;

export type AdminProblem = keyof typeof problems;

/** What an admin page says after a change, by the `done` of its URL. */
const doneTexts = {
  disable: 'Done: this member is disabled. Their keys stop working within 5 seconds.',
  enable: 'Done: this member is enabled, and so are their keys.',
  'sign-out': 'Done: this member is signed out everywhere.',
  group: 'Done: the group is set.',
  budget: 'Done: the budget is set.',
  revoke: 'Done: the key is revoked. It stops working within 5 seconds.',
  create: 'Done: the group is created.',
  remove: 'Done: the group is removed.',
  'webhook-create': 'Done: the webhook is created. Its secret is below.',
  'webhook-test': 'Done: a test is on its way. Reload to see the result.',
  'webhook-again': 'Done: it is on its way again. Reload to see the result.',
  'webhook-pause': 'Done: the webhook is paused.',
  'webhook-resume': 'Done: the webhook is active.',
  'webhook-rotate': 'Done: the webhook has a new secret. It is below.',
  'webhook-remove': 'Done: the webhook is removed.',
  'fact-drop': 'Done: it is forgotten, by every instance within 10 seconds.',
} as const;

type AdminQuery = Readonly<Record<string, string | undefined>>;

/** What was done, by the URL. It names a key only if that is revoked: anybody may write a URL. */
export async function findAdminDone(
  { done, key: id }: AdminQuery,
  { keys, members }: Pick<AccountStores, 'keys' | 'members'>,
): Promise<string | null> {
  const key = done === 'revoke' && id ? await keys.find('id', id) : null;
  if (!key?.owner || key.revokedAt === null) return findProblem(done, doneTexts);
  const owner = (await members.find(key.owner.id))?.name ?? 'a deleted member';
  return `The key ${key.name} of ${owner} is revoked. Programs that use it stop within 5 seconds.`;
}

export function findAdminProblem(code: string | undefined): string | null {
  return findProblem(code, problems);
}
