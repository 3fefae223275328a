import type { MemberSummary } from '#lib/accounts/admin/member-list.ts';
import { ActionButton, ConfirmBox, PostForm } from '../../_components/area/post-form.tsx';
import { ChoiceField, InputField } from '../../_components/fields/form-fields.tsx';

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
  const form = { action: `/admin/members/${member.id}/change`, formToken };
  return (
    <div className="admin-forms">
      <PostForm {...form}>
        <InputField
          id="budget"
          name="budget"
          label="Budget"
          hint={
            <>
              For example “5 USD/day, 20 USD/week”, or “none” for no limit. Leave it empty for the
              site’s default, {defaultBudget}.
            </>
          }
          defaultValue={budget}
          placeholder={defaultBudget}
          maxLength={200}
        />
        <ActionButton value="budget">Set budget</ActionButton>
      </PostForm>
      <PostForm {...form}>
        <ChoiceField
          id="group"
          name="group"
          label="Group"
          hint={
            <>
              Members of a group share its budget. Their own budgets still apply.{' '}
              <a href="/admin/groups">Groups</a>
            </>
          }
          options={[['', 'None'], ...groups.map((name) => [name, name] as const)]}
          chosen={member.group ?? ''}
        />
        <ActionButton value="group">Set group</ActionButton>
      </PostForm>
      {!isSelf && (
        <>
          <PostForm {...form}>
            <DisableFields name={member.name} isDisabled={member.isDisabled} />
          </PostForm>
          <PostForm {...form}>
            <p className="field">
              <span className="label">Sessions</span>
              <span className="field-hint">
                Signs them out in every browser. They can sign in again, and their keys keep
                working.
              </span>
            </p>
            <ActionButton value="sign-out">Sign out everywhere</ActionButton>
          </PostForm>
        </>
      )}
    </div>
  );
}

function DisableFields({ name, isDisabled }: Readonly<{ name: string; isDisabled: boolean }>) {
  return (
    <>
      <p className="field">
        <span className="label">Access</span>
        <span className="field-hint">
          {isDisabled
            ? 'They cannot sign in, and their keys don’t work. If you enable them, all keys work again.'
            : 'If you disable them, they are signed out everywhere, and their keys stop working within 5 seconds.'}
        </span>
      </p>
      {isDisabled ? (
        <ActionButton value="enable">Enable</ActionButton>
      ) : (
        <>
          <ConfirmBox>
            Disable <em>{name}</em>? Their programs stop at once.
          </ConfirmBox>
          <ActionButton value="disable" isWrong>
            Disable
          </ActionButton>
        </>
      )}
    </>
  );
}
