import { createServer } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { describe, expect, it } from 'vitest';
import { createMailer, type OutgoingMail } from '#lib/site/notifications/mail/smtp/mailer.ts';
import { patienceMs } from '../../../../../support/patience.ts';
import { listenOnLoopback } from '../../../../../support/servers/loopback-server.ts';
import { startSmtpSink } from '../../../../../support/servers/smtp-sink.ts';

const from = 'events@marquee.example';
const mail: OutgoingMail = {
  id: 'msg_1',
  to: 'ada@mail.example',
  subject: 'Lantern Jam — in Ghent',
  text: 'Grüße from Ghent.\n',
  html: '<p>Grüße from Ghent.</p>',
};

const send = (
  url: string,
  sent: Partial<OutgoingMail> = {},
  signal = AbortSignal.timeout(patienceMs),
) => {
  const mailer = createMailer({ url, from, siteName: 'Marquee' });
  return mailer.send({ ...mail, ...sent }, signal).finally(() => mailer.close());
};

const refuse = (code: number, text: string) =>
  Object.assign(new Error(text), { responseCode: code });
const refuseRecipients = (code: number, text: string): SMTPServerOptions => ({
  onRcptTo: ({ address }, _, callback) =>
    callback(address.startsWith('ada') ? refuse(code, text) : null),
});

describe('createMailer', () => {
  it('sends text and HTML as quoted-printable, with an id that stays the same for each attempt', async () => {
    await using sink = await startSmtpSink();
    await send(sink.url, { headers: { 'List-Id': 'Marquee <events.marquee.example>' } });
    const [received] = sink.mails;
    expect(received).toMatchObject({ from, to: ['ada@mail.example'] });
    expect(received?.raw).toContain('Message-ID: <msg_1@marquee.example>');
    expect(received?.raw).toContain('From: Marquee <events@marquee.example>');
    expect(received?.raw).toContain('List-ID: Marquee <events.marquee.example>');
    expect(received?.raw).toContain('Gr=C3=BC=C3=9Fe');
    expect(received?.raw.match(/Content-Transfer-Encoding: quoted-printable/g)).toHaveLength(2);
    expect(received?.raw).not.toContain('base64');
  });

  // ASVS 1.3.11
  it('keeps a line break in a subject out of the headers', async () => {
    await using sink = await startSmtpSink();
    await send(sink.url, { subject: 'Jam\r\nBcc: eve@mail.example' });
    expect(sink.mails[0]?.to).toEqual(['ada@mail.example']);
    expect(sink.mails[0]?.raw).not.toMatch(/^Bcc:/m);
  });

  it('sends several mails over one connection', async () => {
    let sessions = 0;
    await using sink = await startSmtpSink({
      onConnect(_, callback) {
        sessions += 1;
        callback();
      },
    });
    const mailer = createMailer({ url: sink.url, from, siteName: 'Marquee' });
    for (const id of ['msg_1', 'msg_2', 'msg_3']) {
      await mailer.send({ ...mail, id }, AbortSignal.timeout(patienceMs));
    }
    mailer.close();
    expect([sink.mails.length, sessions]).toEqual([3, 1]);
  });

  it('opens as many sessions as it may, and takes a refused one for no fault of the mail', async () => {
    let [open, most] = [0, 0];
    await using sink = await startSmtpSink({
      onConnect(_, callback) {
        open += 1;
        most = Math.max(most, open);
        callback(open > 2 ? refuse(421, '4.7.0 Too many connections') : null);
      },
      onClose() {
        open -= 1;
      },
    });
    sink.holdAfter(0);
    const mailer = createMailer({ url: sink.url, from, siteName: 'Marquee', sessionsMax: 3 });
    const signal = AbortSignal.timeout(patienceMs);
    const sent = ['msg_1', 'msg_2', 'msg_3', 'msg_4'].map((id) =>
      mailer.send({ ...mail, id }, signal).catch((error: unknown) => error),
    );
    await expect.poll(() => sink.held.length).toBe(2);
    sink.release();
    const outcomes = await Promise.all(sent);
    mailer.close();
    expect(most).toBe(3);
    expect(outcomes).toContainEqual(
      expect.objectContaining({ kind: 'busy', result: '421 4.7.0 at CONN' }),
    );
    expect(sink.mails.length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['550 5.1.1 at RCPT TO', 'address', 550, '5.1.1 No such user'],
    ['550 5.7.1 at RCPT TO', 'relay', 550, '5.7.1 Relaying denied'],
    ['550 at RCPT TO', 'relay', 550, 'Go away'],
    ['451 at RCPT TO', 'later', 451, 'Try again later'],
  ])('takes %s where no other was accepted for a fault of %s', async (result, kind, code, text) => {
    await using sink = await startSmtpSink(refuseRecipients(code, text));
    await expect(send(sink.url)).rejects.toMatchObject({ kind, result });
  });

  it('takes a bare 550 for a bad address where another was just accepted', async () => {
    await using sink = await startSmtpSink(refuseRecipients(550, 'No such user here'));
    const mailer = createMailer({ url: sink.url, from, siteName: 'Marquee' });
    const signal = AbortSignal.timeout(patienceMs);
    await mailer.send({ ...mail, to: 'robin@mail.example' }, signal);
    await expect(mailer.send(mail, signal)).rejects.toMatchObject({ kind: 'address' });
    await mailer.send({ ...mail, to: 'robin@mail.example' }, signal);
    mailer.close();
    expect(sink.mails).toHaveLength(2);
  });

  it('takes a refused message for a fault of the relay', async () => {
    await using sink = await startSmtpSink({
      onData(stream, _, callback) {
        stream.resume().on('end', () => callback(refuse(554, '5.7.1 Spam')));
      },
    });
    await expect(send(sink.url)).rejects.toMatchObject({
      kind: 'relay',
      result: '554 5.7.1 at DATA',
    });
  });

  it('tries later where nobody listens, the relay hangs, or it closes after the message, which is sent once', async () => {
    await using hanging = await listenOnLoopback(createServer());
    let messages = 0;
    await using sink = await startSmtpSink({
      onData(stream, session) {
        messages += 1;
        stream.resume().on('end', () => sink.closeConnection(session));
      },
    });
    await expect(send('smtp://127.0.0.1:1')).rejects.toMatchObject({ kind: 'away' });
    await expect(
      send(`smtp://127.0.0.1:${hanging.port}`, {}, AbortSignal.timeout(200)),
    ).rejects.toMatchObject({ kind: 'later' });
    await expect(send(sink.url)).rejects.toMatchObject({ kind: 'later' });
    expect(messages).toBe(1);
  });

  it('ends a mail whose time is over, and sends the next one', async () => {
    await using sink = await startSmtpSink();
    sink.holdAfter(0);
    const mailer = createMailer({ url: sink.url, from, siteName: 'Marquee' });
    const timeOver = new AbortController();
    const ended = expect(mailer.send(mail, timeOver.signal)).rejects.toMatchObject({
      kind: 'later',
      result: 'timed out',
    });
    await expect.poll(() => sink.held.length).toBe(1);
    timeOver.abort();
    await ended;
    sink.release();
    await mailer.send({ ...mail, id: 'msg_2' }, AbortSignal.timeout(patienceMs));
    mailer.close();
    expect(sink.mails).toHaveLength(2);
  });

  // ASVS 12.3.1
  it('sends no password in the clear to another machine', async () => {
    let signIns = 0;
    await using sink = await startSmtpSink({
      allowInsecureAuth: true,
      onAuth(_auth, _session, callback) {
        signIns += 1;
        callback(null, { user: 'user' });
      },
    });
    const url = `smtp://user:secret@[::ffff:127.0.0.1]:${sink.port}`;
    await expect(send(url)).rejects.toMatchObject({ name: 'SmtpError' });
    expect(signIns).toBe(0);
    expect(sink.mails).toEqual([]);
  });
});
