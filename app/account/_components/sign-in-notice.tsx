import { changeWithinMs } from '#lib/accounts/routes/account-route.ts';

type SignInNoticeProps = Readonly<{
  /** Of the session. */
  ageMs: number;
  /** The page that the sign-in leads back to. */
  to: string;
  /** What needs it, as in `to create a key`. */
  purpose: string;
}>;

/** Says before a form is filled in that it needs a more recent sign-in. */
export function SignInNotice({ ageMs, to, purpose }: SignInNoticeProps) {
  if (ageMs <= changeWithinMs) return null;
  return (
    <p className="notice">
      You signed in more than 12 hours ago.{' '}
      <a href={`/sign-in?${new URLSearchParams({ again: '1', to })}`}>Sign in again</a> {purpose}.
    </p>
  );
}
