import type { Conversation } from '#lib/playground/conversation.ts';

/** What the last reply took: time to its first word, time in all, tokens. */
export function ReplyFacts({ conversation }: Readonly<{ conversation: Conversation }>) {
  const { firstWordMs, durationMs, usage } = conversation;
  const facts = [
    ['First word after', toSeconds(firstWordMs)],
    ['Took', toSeconds(durationMs)],
    ['Tokens read', usage === null ? null : String(usage.tokensIn)],
    ['Tokens written', usage === null ? null : String(usage.tokensOut)],
  ] as const;
  const known = facts.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  return (
    <dl className="reply-facts">
      {known.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd className="mono">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function toSeconds(durationMs: number | null): string | null {
  return durationMs === null ? null : `${(durationMs / 1000).toFixed(2)} s`;
}
