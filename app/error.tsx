'use client';

import { MessageHeader } from './_components/notices.tsx';

/** Shown when rendering a page failed. It failed on the server, so only a new request can help. */
export default function ErrorPage() {
  return (
    <MessageHeader
      code="500"
      title="This page could not be shown"
      action={
        <div className="buttons">
          <button className="button" type="button" onClick={() => location.reload()}>
            Try again
          </button>
          <a className="button-quiet" href="/">
            See all events
          </a>
        </div>
      }
    >
      Something went wrong on our side. Please try again in a moment.
    </MessageHeader>
  );
}
