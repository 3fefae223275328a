import { startSmtpSink } from './smtp-sink.ts';

type HeldMail = Readonly<{ to: string; raw: string }>;

/** An SMTP server that can leave mails without a reply: for their sender they stay under way. */
export async function startHoldingSink() {
  const mails: HeldMail[] = [];
  const held: HeldMail[] = [];
  const waiting: (() => void)[] = [];
  let repliesLeft = Number.POSITIVE_INFINITY;
  const sink = await startSmtpSink({
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        const mail = { to, raw: Buffer.concat(chunks).toString() };
        mails.push(mail);
        if (mails.length <= repliesLeft) {
          callback();
          return;
        }
        held.push(mail);
        waiting.push(callback);
      });
    },
  });
  return {
    url: sink.url,
    close: sink.close,
    /** All that it got, with those it holds. */
    mails,
    held,
    /** Replies to so many mails, and to no more. */
    holdAfter(count: number) {
      repliesLeft = count;
    },
    /** Replies to all. */
    release() {
      repliesLeft = Number.POSITIVE_INFINITY;
      for (const reply of waiting.splice(0)) reply();
    },
  };
}
