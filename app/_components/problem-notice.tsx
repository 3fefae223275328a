import type { QueryProblem } from '#lib/events/query/parse-query.ts';
import { toChoiceInWords } from '#lib/events/words/filter-words.ts';

// Apart from the notices of errors, which every visit loads.

type ProblemNoticeProps = Readonly<{ problems: readonly QueryProblem[] }>;

/** Explains which filters in the URL are invalid, without the names of parameters. */
export function ProblemNotice({ problems }: ProblemNoticeProps) {
  if (problems.length === 0) return null;
  return (
    <div className="notice notice-wrong">
      {problems.map(({ message, words, choices }) => (
        <p key={message}>
          <TextWithCode text={words} />
          {choices && ` Try ${listChoices(choices)}.`}
        </p>
      ))}
      <p>The list below ignores this.</p>
    </div>
  );
}

/** `today, tonight or CAD`. */
function listChoices(choices: readonly string[]): string {
  const words = choices.map((choice) =>
    toChoiceInWords(choice).replace(/^[A-Z](?=[a-z])/, toLower),
  );
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}

function toLower(letter: string): string {
  return letter.toLowerCase();
}

/** A message with names between backticks. */
function TextWithCode({ text }: Readonly<{ text: string }>) {
  const parts = text.split('`');
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places.
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
