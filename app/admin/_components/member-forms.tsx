import type { MemberSummary } from '#lib/accounts/admin/member-list.ts';
import { ConfirmBox } from '../../account/_components/confirm-box.tsx';
import { FormToken } from '../../account/_components/form-token.tsx';

type MemberFormsProps = Readonly<{
  member: MemberSummary;
  /** The budget in words; empty where it is the default. */
  budget: string;
  /** The budget of a member without their own. */
  defaultBudget: string;
  groups: readonly string[];
  formToken: string;
  isSelf: boolean;
}>;

/** Forms for what an admin may change about a member. */
export function MemberForms(props: MemberFormsProps) {
  const { member, budget, defaultBudget, groups, formToken, isSelf } = props;
  const action = `/admin/members/${member.id}/change`;
  return (
    <div className="admin-forms">
      <form method="post" action={action}>
        <FormToken value={formToken} />
        <p className="field">
          <label htmlFor="budget">Budget</label>
          <input
            id="budget"
            name="budget"
            defaultValue={budget}
            placeholder={defaultBudget}
            maxLength={200}
            autoComplete="off"
            aria-describedby="budget-hint"
          />
          <span id="budget-hint" className="field-hint">
            For example “5 USD/day, 50 USD/month”, or “none” for no limit. Leave it empty for the
            site’s default, {defaultBudget}.
          </span>
        </p>
        <button type="submit" name="action" value="budget" className="button-quiet">
          Set budget
        </button>
      </form>
      <form method="post" action={action}>
        <FormToken value={formToken} />
        <p className="field">
          <label htmlFor="group">Group</label>
          <select id="group" name="group" defaultValue={member.group ?? ''}>
            <option value="">None</option>
            {groups.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <span className="field-hint">
            Members of a group share its budget. Their own budgets still apply.{' '}
            <a href="/admin/groups">Groups</a>
          </span>
        </p>
        <button type="submit" name="action" value="group" className="button-quiet">
          Set group
        </button>
      </form>
      {!isSelf && (
        <>
          <DisableForm action={action} formToken={formToken} isDisabled={member.isDisabled} />
          <SignOutForm action={action} formToken={formToken} />
        </>
      )}
    </div>
  );
}

function SignOutForm({ action, formToken }: Readonly<{ action: string; formToken: string }>) {
  return (
    <form method="post" action={action}>
      <FormToken value={formToken} />
      <p className="field">
        <span className="label">Sessions</span>
        <span className="field-hint">
          Signs them out in every browser. They can sign in again, and their keys keep working.
        </span>
      </p>
      <button type="submit" name="action" value="sign-out" className="button-quiet">
        Sign out everywhere
      </button>
    </form>
  );
}

type DisableFormProps = Readonly<{ action: string; formToken: string; isDisabled: boolean }>;

function DisableForm({ action, formToken, isDisabled }: DisableFormProps) {
  return (
    <form method="post" action={action}>
      <FormToken value={formToken} />
      <p className="field">
        <span className="label">Access</span>
        <span className="field-hint">
          {isDisabled
            ? 'They cannot sign in, and their keys don’t work. If you enable them, all keys work again.'
            : 'If you disable them, they are signed out everywhere, and their keys stop working within 5 seconds.'}
        </span>
      </p>
      {isDisabled ? (
        <button type="submit" name="action" value="enable" className="button-quiet">
          Enable
        </button>
      ) : (
        <>
          <ConfirmBox label="Disable this member" />
          <button type="submit" name="action" value="disable" className="button-quiet button-wrong">
            Disable
          </button>
        </>
      )}
    </form>
  );
}
