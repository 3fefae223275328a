import { PostForm } from '../../_components/area/post-form.tsx';
import { Moment } from '../../_components/area/words.tsx';

/** The member's stored data, to download or delete. */
export function AccountData({ formToken }: Readonly<{ formToken: string }>) {
  return (
    <section className="section" aria-labelledby="data">
      <h2 id="data">Your data</h2>
      <p>
        We store your name, your email address, your keys without their secrets, and how many tokens
        each request used: never a prompt, never a reply.{' '}
        <a href="/docs/ai#what-is-stored">What is stored, and for how long</a>
      </p>
      <p>
        <a className="button-quiet" href="/account/data.json" download>
          Download my data
        </a>
      </p>
      <details>
        <summary>Delete my account</summary>
        <PostForm action="/account/delete" formToken={formToken} className="stack">
          <p>
            <label>
              <input type="checkbox" name="confirm" value="yes" required /> Delete my account and
              revoke all my keys? Programs that use them stop at once. This cannot be undone.
            </label>
          </p>
          <p className="quiet">
            If you signed in more than 15 minutes ago, we ask you to sign in again first.
          </p>
          <p className="quiet">
            We delete your name, your email address and your keys at once. What you have used counts
            until the week and the month end, even if you come back. So until then we keep your
            budget, and a scrambled code to recognize you by.
          </p>
          <button type="submit" className="button-quiet button-wrong">
            Delete my account
          </button>
        </PostForm>
      </details>
    </section>
  );
}

type SessionListProps = Readonly<{
  sessions: readonly Readonly<{ id: string; device: string; createdAt: number; usedAt: number }>[];
  currentId: string;
  formToken: string;
}>;

/** Where the member is signed in. */
export function SessionList({ sessions, currentId, formToken }: SessionListProps) {
  return (
    <section className="section" aria-labelledby="sessions">
      <h2 id="sessions">Where you’re signed in</h2>
      <ul className="lines">
        {sessions.map(({ id, device, createdAt, usedAt }) => (
          <li key={id}>
            <p>
              <strong>{device}</strong>
              {id === currentId && ' (this browser)'}
              <br />
              <span className="quiet">
                Signed in <Moment timeMs={createdAt} />, last used <Moment timeMs={usedAt} />
              </span>
            </p>
            {id !== currentId && (
              <PostForm action={`/account/sessions/${id}`} formToken={formToken}>
                <button type="submit" className="button-quiet" aria-label={`Sign out ${device}`}>
                  Sign out
                </button>
              </PostForm>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

type AlertChoiceProps = Readonly<{ email: string; wantsAlerts: boolean; formToken: string }>;

/** Whether a member gets alerts by email. */
export function AlertChoice({ email, wantsAlerts, formToken }: AlertChoiceProps) {
  return (
    <section className="section" aria-labelledby="alerts">
      <h2 id="alerts">Email alerts</h2>
      <PostForm action="/account/alerts" formToken={formToken} className="stack">
        <label className="confirm-box">
          <input type="checkbox" name="alerts" value="yes" defaultChecked={wantsAlerts} />
          <span>
            Write to {email} when 80% or all of a budget is used, a week before a key expires, and
            when somebody else revokes a key.
          </span>
        </label>
        <button type="submit" className="button-quiet">
          Save
        </button>
      </PostForm>
    </section>
  );
}
