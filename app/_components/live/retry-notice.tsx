import type { ReactNode } from 'react';

type RetryNoticeProps = Readonly<{ children: ReactNode; onRetry: () => void }>;

/** Says that the newest data could not be loaded, with a button that tries again. */
export function RetryNotice({ children, onRetry }: RetryNoticeProps) {
  return (
    <p className="notice notice-wrong" role="alert">
      {children}{' '}
      <button type="button" className="button-quiet" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}
