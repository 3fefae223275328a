import type { QueryProblem } from '#lib/events/query/events-query.ts';
import { HintedText } from './hinted-text.tsx';

type ProblemNoticeProps = Readonly<{ problems: readonly QueryProblem[] }>;

/** Says what in an address was not understood, and what it may be. */
export function ProblemNotice({ problems }: ProblemNoticeProps) {
  if (problems.length === 0) return null;
  return (
    <div className="notice notice-wrong">
      {problems.map(({ message, hint }) => (
        <p key={message}>
          <HintedText text={message} /> <HintedText text={hint} />
        </p>
      ))}
      <p>Below are the events without that filter.</p>
    </div>
  );
}
