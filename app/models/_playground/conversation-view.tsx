import { lazy, Suspense, useDeferredValue } from 'react';
import { formatDollars } from '#lib/representations/listed-models.ts';
import { type Conversation, isBusy } from '#lib/site/playground/conversation.ts';
import { toErrorMessage } from '#lib/site/playground/error-messages.ts';

import { PictureList } from './pictures.tsx';

type ConversationViewProps = Readonly<{ conversation: Conversation; onRetry: () => void }>;

/** The messages so far, and the state of the last reply. */
export function ConversationView({ conversation, onRetry }: ConversationViewProps) {
  const { turns, status, error, cutReason } = conversation;
  if (turns.length === 0) return null;
  return (
    <div className="conversation" aria-busy={isBusy(conversation)}>
      <ol>
        {turns.map(({ role, content, pictures = [] }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added to, at the end
          <li key={index} data-role={role}>
            <p className="turn-name">{role === 'user' ? 'You' : 'Model'}</p>
            <PictureList urls={pictures} />
            {role === 'user' ? (
              <p className="turn-text">{content}</p>
            ) : (
              <ReplyText markdown={content} />
            )}
          </li>
        ))}
      </ol>
      <div role="status">
        {status === 'waiting' && <p className="quiet">Waiting for the reply …</p>}
        {status === 'stopped' && <p className="quiet">You stopped the reply.</p>}
        {status === 'done' && <p className="visually-hidden">The reply is complete.</p>}
        {status === 'cut' && (
          <p className="notice">
            {cutReason === 'content_filter'
              ? 'The provider’s content filter cut the reply short.'
              : 'The model reached its output limit. Ask it to continue.'}
          </p>
        )}
        {error !== null && <ErrorNotice {...toErrorMessage(error)} />}
      </div>
      {(status === 'failed' || status === 'stopped') && (
        <p>
          <button type="button" className="button-quiet" onClick={onRetry}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

function ErrorNotice({ title, advice, href }: ReturnType<typeof toErrorMessage>) {
  return (
    <div className="notice notice-wrong">
      <p>
        <strong>{title}.</strong> {advice}
      </p>
      <p>
        <a href={href}>About this error</a>
      </p>
    </div>
  );
}

// The parser is as large as the rest of the page: it loads with the first reply.
const ReplyMarkdown = lazy(() =>
  import('./reply-markdown.tsx').then((module) => ({ default: module.ReplyMarkdown })),
);

/** A reply, rendered as Markdown. */
function ReplyText({ markdown }: Readonly<{ markdown: string }>) {
  // Parsing may lag behind a fast stream, so that typing does not.
  const shown = useDeferredValue(markdown);
  return (
    <div className="turn-text prose">
      <Suspense fallback={<p className="plain-reply">{shown}</p>}>
        <ReplyMarkdown markdown={shown} />
      </Suspense>
    </div>
  );
}

/** Time, tokens and cost of the last reply, and the cost of all. */
export function ReplyFacts({ conversation }: Readonly<{ conversation: Conversation }>) {
  const { firstWordMs, durationMs, usage, costUsd, earlierCostUsd } = conversation;
  const totalUsd = earlierCostUsd + (costUsd ?? 0);
  const facts = [
    ['First token after', toSeconds(firstWordMs)],
    ['Total time', toSeconds(durationMs)],
    ['Input tokens', usage === null ? null : String(usage.tokensIn)],
    ['Output tokens', usage === null ? null : String(usage.tokensOut)],
    ['Cost, by the list', costUsd === null ? null : formatDollars(costUsd)],
    ['Conversation', earlierCostUsd === 0 ? null : formatDollars(totalUsd)],
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
