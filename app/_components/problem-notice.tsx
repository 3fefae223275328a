import type { QueryProblem } from '#lib/events/query/events-query.ts';

type ProblemNoticeProps = Readonly<{ problems: readonly QueryProblem[] }>;

/** Explains which filters in the URL are invalid. */
export function ProblemNotice({ problems }: ProblemNoticeProps) {
  if (problems.length === 0) return null;
  return (
    <div className="notice notice-wrong">
      {problems.map(({ message, hint }) => (
        <p key={message}>
          <TextWithCode text={message} /> <TextWithCode text={hint} />
        </p>
      ))}
      <p>The list below ignores this.</p>
    </div>
  );
}

/** A message with names between backticks. */
function TextWithCode({ text }: Readonly<{ text: string }>) {
  const parts = text.split('`');
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places.
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
