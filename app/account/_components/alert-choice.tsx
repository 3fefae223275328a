import { FormToken } from './form-token.tsx';

type AlertChoiceProps = Readonly<{ email: string; wantsAlerts: boolean; formToken: string }>;

/** Whether a member gets alerts by mail. */
export function AlertChoice({ email, wantsAlerts, formToken }: AlertChoiceProps) {
  return (
    <section className="account-section" aria-labelledby="alerts">
      <h2 id="alerts">Mails to you</h2>
      <form method="post" action="/account/alerts" className="alert-choice">
        <FormToken value={formToken} />
        <p>
          <label>
            <input type="checkbox" name="alerts" value="yes" defaultChecked={wantsAlerts} /> Write
            to {email} when 80% or all of a budget is used, a week before a key expires, and when
            somebody else revokes a key.
          </label>
        </p>
        <button type="submit" className="button-quiet">
          Save
        </button>
      </form>
    </section>
  );
}
