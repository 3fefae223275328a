import { Outcome } from '../../_components/notices.tsx';

type SignInPanelProps = Readonly<{
  problem: string | null;
  /** null: signing in is not possible. */
  providerName: string | null;
  /** The page that the sign-in leads to; by default the account. */
  to?: string | undefined;
}>;

/** What an account is for, and a button to sign in. */
export function SignInPanel({ problem, providerName, to }: SignInPanelProps) {
  const query = to === undefined ? '' : `?${new URLSearchParams({ to })}`;
  return (
    <header className="page-header">
      <h1>Account</h1>
      <Outcome problem={problem} done={null} />
      <p className="lead">
        Sign in, create an API key, and use <a href="/models">every model</a> from your own
        programs. You can always see how much you have left.
      </p>
      {providerName !== null && (
        <p>
          <a className="button" href={`/sign-in${query}`}>
            Sign in with {providerName}
          </a>
        </p>
      )}
      <p className="quiet">
        We store your name, your email address and how many tokens you use, never a prompt or a
        reply. <a href="/docs/ai#what-is-stored">What is stored</a>
      </p>
    </header>
  );
}
