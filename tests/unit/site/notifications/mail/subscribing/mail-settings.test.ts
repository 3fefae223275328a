import { describe, expect, it } from 'vitest';
import {
  parseMailAddress,
  toMailbox,
} from '#lib/site/notifications/mail/subscribing/mail-settings.ts';

describe('parseMailAddress', () => {
  it.each([
    ['ada@mail.example', 'ada@mail.example'],
    [' Ada.Moreno+Events@Mail.EXAMPLE ', 'ada.moreno+events@mail.example'],
    ["o'neill@mail.example", "o'neill@mail.example"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ])('reads %s', (text, address) => {
    expect(parseMailAddress(text)).toEqual({ ok: true, address });
  });

  it.each([
    ['nothing', ''],
    ['no @', 'ada'],
    ['no name', '@mail.example'],
    ['no domain', 'ada@'],
    ['a host without a dot', 'ada@localhost'],
    ['an IP address', 'ada@[127.0.0.1]'],
    ['an IP address without brackets', 'ada@127.0.0.1'],
    ['two of them', 'ada@mail.example, eve@mail.example'],
    ['two @', 'ada@eve@mail.example'],
    ['a name for people', 'Ada <ada@mail.example>'],
    ['quotes', '"ada eve"@mail.example'],
    ['a line break and a header', 'ada@mail.example\r\nBcc: eve@mail.example'],
    ['a line break before the @', 'ada\n@mail.example'],
    ['a line feed at the end', 'ada@mail.example\n'],
    ['a null character', 'ada\0@mail.example'],
    ['an invisible character', 'ada\u200b@mail.example'],
    ['an invisible character in the domain', 'ada@mail\u00ad.example'],
    ['a letter that only looks like an a', '\u0430da@mail.example'],
    ['a wide @', 'ada\uff20mail.example'],
    ['a percent-encoded domain', 'ada@%6dail.example'],
    [
      '320 characters',
      `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}`,
    ],
    ['258 characters, once they are ASCII', `ada.moreno@${'ü.'.repeat(30)}example`],
    ['a name of 65 characters', `${'a'.repeat(65)}@mail.example`],
    ['a dot at the end of the name', 'ada.@mail.example'],
  ])('refuses %s', (_, text) => {
    expect(parseMailAddress(text)).toMatchObject({ ok: false });
  });
});

describe('toMailbox', () => {
  it('is the same for addresses that lead to one inbox', () => {
    expect(toMailbox('ada+one@mail.example')).toBe(toMailbox('ada+two@mail.example'));
    expect(toMailbox('a.d.a@googlemail.com')).toBe(toMailbox('ada+x@gmail.com'));
    expect(toMailbox('a.da@mail.example')).not.toBe(toMailbox('ada@mail.example'));
  });
});
