import { FormToken } from './form-token.tsx';

type AccountHeaderProps = Readonly<{
  member: Readonly<{ name: string; email: string | null }>;
  isAdmin: boolean;
  formToken: string;
}>;

/** Who is signed in. */
export function AccountHeader({ member, isAdmin, formToken }: AccountHeaderProps) {
  return (
    <header className="page-header account-header">
      <div>
        <h1>Account</h1>
        <p className="lead">
          <strong>{member.name}</strong>
          {member.email !== null && member.email !== member.name && `, ${member.email}`}
        </p>
      </div>
      <div className="account-actions">
        {isAdmin && (
          <a className="button-quiet" href="/admin">
            Admin
          </a>
        )}
        <a className="button-quiet" href="/account/playground">
          Playground
        </a>
        <form method="post" action="/sign-out">
          <FormToken value={formToken} />
          <button type="submit" className="button-quiet">
            Sign out
          </button>
        </form>
      </div>
    </header>
  );
}
