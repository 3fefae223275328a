import type { Conversation } from '#lib/site/playground/conversation.ts';

/** Time and tokens of the last reply. */
export function ReplyFacts({ conversation }: Readonly<{ conversation: Conversation }>) {
  const { firstWordMs, durationMs, usage } = conversation;
  const facts = [
    ['First token after', toSeconds(firstWordMs)],
    ['Total time', toSeconds(durationMs)],
    ['Input tokens', usage === null ? null : String(usage.tokensIn)],
    ['Output tokens', usage === null ? null : String(usage.tokensOut)],
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
