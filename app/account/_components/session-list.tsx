import { FormToken } from './form-token.tsx';
import { Moment } from './words.tsx';

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
