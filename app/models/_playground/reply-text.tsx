import { lazy, Suspense, useDeferredValue } from 'react';

// The parser is as large as the rest of the page: it loads with the first reply.
const ReplyMarkdown = lazy(() =>
  import('./reply-markdown.tsx').then((module) => ({ default: module.ReplyMarkdown })),
);

/** A reply, rendered as Markdown. */
export function ReplyText({ markdown }: Readonly<{ markdown: string }>) {
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
