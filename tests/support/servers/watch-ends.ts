import { channels, type RequestDone } from '#lib/telemetry/channels.ts';
import { waitFor } from '../wait-for.ts';

/** Notes which requests to servers of this process have ended, by their `X-Request-Id`. */
export function watchEnds() {
  const ended = new Set<string>();
  const note = ({ requestId }: RequestDone) => ended.add(requestId);
  channels.requestDone.subscribe(note);
  return {
    /** Resolves once the server has sent the response, or knows that the client has left. */
    untilEnded: (requestId: string) =>
      waitFor(() => {
        if (!ended.has(requestId)) throw new Error(`The request ${requestId} has not ended.`);
      }),
    [Symbol.dispose]: () => channels.requestDone.unsubscribe(note),
  };
}
