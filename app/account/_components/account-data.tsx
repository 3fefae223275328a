import { FormToken } from './form-token.tsx';
import { Moment } from './words.tsx';

/** The member's stored data, to download or delete. */
export function AccountData({ formToken }: Readonly<{ formToken: string }>) {
  return (
    <section className="account-section" aria-labelledby="data">
      <h2 id="data">Your data</h2>
      <p>
        We store your name, your e-mail address, your keys without their secrets, and how many
        tokens each request used: never a prompt, never a reply.{' '}
        <a href="/docs/ai#what-is-stored">What is stored, and for how long</a>
      </p>
      <p>
        <a className="button-quiet" href="/account/data.json" download>
          Download my data
        </a>
      </p>
      <details>
        <summary>Delete my account</summary>
        <form method="post" action="/account/delete" className="delete-account">
          <FormToken value={formToken} />
          <p>
            <label>
              <input type="checkbox" name="confirm" value="yes" required /> Delete my account and
              revoke all my keys. This cannot be undone.
            </label>
          </p>
          <p className="quiet">
            If you signed in more than 15 minutes ago, you sign in again first.
          </p>
          <p className="quiet">
            We delete your name, your e-mail address and your keys at once. What you have used
            counts until the end of the month, even if you come back. So until then we keep your
            budget, and a scrambled code to recognize you by.
          </p>
          <button type="submit" className="button-quiet button-wrong">
            Delete my account
          </button>
        </form>
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
    <section className="account-section" aria-labelledby="sessions">
      <h2 id="sessions">Where you’re signed in</h2>
      <ul className="session-list">
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
              <form method="post" action={`/account/sessions/${id}`}>
                <FormToken value={formToken} />
                <button type="submit" className="button-quiet" aria-label={`Sign out ${device}`}>
                  Sign out
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
