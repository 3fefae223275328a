import { MessageHeader } from '../../_components/notices.tsx';

/** For a request of somebody else, too. */
export default function RequestNotFound() {
  return (
    <MessageHeader
      code="404"
      title="Request not found"
      action={
        <a className="button" href="/account/requests">
          All requests
        </a>
      }
    >
      None of your requests has this id. A request is listed a moment after its end; of rejected
      ones, the first ten a minute of each key.
    </MessageHeader>
  );
}
