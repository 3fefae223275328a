import type { AdminProblem } from '#lib/accounts/admin/problems.ts';
import type { FormAction } from '#lib/accounts/routes/account-route.ts';
import { redirectTo, toOutcomePath, toReturnPath } from '#lib/accounts/routes/redirect-to.ts';
import { WebhookInputError } from './webhook-input.ts';
import type { Webhooks } from './webhooks.ts';

/** What the forms of the webhooks' pages do. Each change is in the audit log. */

type Services = Readonly<{ webhooks: Webhooks }>;
type Action<P> = FormAction<Services, P>;

/** Creates a webhook, and leads to its page, which shows the secret once. */
export const createWebhook: Action<unknown> = async ({ form, signedIn, members }, { webhooks }) => {
  const read = (name: string) => (form.get(name) ?? '').trim();
  const input = {
    url: read('url'),
    name: read('name'),
    types: read('types'),
    filter: read('filter'),
  };
  // After a problem the form has what was typed.
  const report = (problem: AdminProblem) =>
    redirectTo(`/admin/webhooks?${new URLSearchParams({ problem, ...input })}`);
  try {
    const { webhook, secret } = await webhooks.create(input, signedIn.member.id);
    return redirectTo(`/admin/webhooks/${webhook.id}?done=webhook-create`, [
      members.newKey.write(secret),
    ]);
  } catch (error) {
    if (error instanceof WebhookInputError) return report(`webhook-${error.problem}`);
    throw error;
  }
};

/** Tests, pauses, resumes, rotates or removes a webhook, or sends a delivery again, as `action` says. */
export const changeWebhook: Action<{ id: string }> = async (
  { form, signedIn, members, params: { id } },
  { webhooks },
) => {
  const by = signedIn.member.id;
  const path = `/admin/webhooks/${encodeURIComponent(id)}`;
  const page = toReturnPath(form.get('back') ?? path);
  const report = (problem: AdminProblem) => redirectTo(toOutcomePath(page, { problem }));
  const finish = (isChanged: boolean, problem: AdminProblem = 'no-webhook') =>
    isChanged ? redirectTo(toOutcomePath(page, { done: `webhook-${action}` })) : report(problem);
  const action = form.get('action');
  if ((await webhooks.find(id)) === null) return redirectTo('/admin/webhooks?problem=no-webhook');
  switch (action) {
    case 'test':
      await webhooks.enqueueTest(id);
      return finish(true);
    case 'again':
      return finish(await webhooks.sendAgain(form.get('delivery') ?? '', id), 'no-delivery');
    case 'pause':
      return finish(await webhooks.pause(id, by));
    case 'resume':
      return finish(await webhooks.resume(id, by));
    case 'rotate': {
      if (!isConfirmed(form)) return report('confirm');
      const rotated = await webhooks.rotate(id, by);
      if (rotated === null) return report('no-webhook');
      return redirectTo(`${path}?done=webhook-rotate`, [members.newKey.write(rotated.secret)]);
    }
    case 'remove':
      if (!isConfirmed(form)) return report('confirm');
      await webhooks.remove(id, by);
      return redirectTo('/admin/webhooks?done=webhook-remove');
    default:
      return redirectTo(path);
  }
};

function isConfirmed(form: URLSearchParams): boolean {
  return form.get('confirm') === 'yes';
}
