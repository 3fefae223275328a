import type { ReactNode } from 'react';
import { changeWithinMs } from '#lib/accounts/routes/account-route.ts';

type PostFormProps = Readonly<{
  action: string;
  /** Proves that it came from a page of this session. */
  formToken: string;
  className?: string;
  children: ReactNode;
}>;

/** A form of somebody who is signed in. */
export function PostForm({ action, formToken, className, children }: PostFormProps) {
  return (
    <form method="post" action={action} className={className}>
      <input type="hidden" name="token" value={formToken} />
      {children}
    </form>
  );
}

type ActionButtonProps = Readonly<{
  /** What the form is to do. */
  value: string;
  /** Whether it takes something away. */
  isWrong?: boolean;
  children: ReactNode;
}>;

/** Submits a form that can do several things. */
export function ActionButton({ value, isWrong = false, children }: ActionButtonProps) {
  const className = isWrong ? 'button-quiet button-wrong' : 'button-quiet';
  return (
    <button type="submit" name="action" value={value} className={className}>
      {children}
    </button>
  );
}

/** Asks once, in the same form, before something that cannot be undone: it names what is lost. */
export function ConfirmBox({ children }: Readonly<{ children: ReactNode }>) {
  return (
    <label className="confirm-box">
      <input type="checkbox" name="confirm" value="yes" required /> <span>{children}</span>
    </label>
  );
}

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
