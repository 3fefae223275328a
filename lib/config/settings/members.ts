import { z } from 'zod';
import { accessRules, issuer, textLine, wholeNumberSetting, word } from '../setting-schemas.ts';
import { setting } from './setting.ts';

const accessExpected =
  'domains, email addresses, claim=value, or * for everyone, separated by commas, such as makers.example,ada@mail.example,groups=staff';

export const memberSettings = {
  OIDC_ISSUER: setting(issuer, {
    meaning: 'OpenID Connect provider for members, or `https://github.com`',
    expected:
      'the https URL of an OpenID Connect provider (http on this machine only), such as https://id.example, or https://github.com',
    unset: 'none: no accounts',
  }),
  OIDC_CLIENT_ID: setting(word(1000).optional(), {
    meaning: 'this site’s client id at the provider',
    expected: 'the id that the provider gave this site, without spaces',
  }),
  OIDC_CLIENT_SECRET: setting(word(1000).optional(), {
    meaning: 'the client secret',
    expected: 'the secret that the provider gave this site',
    secret: true,
  }),
  OIDC_SCOPES: setting(
    z
      .string()
      .regex(/^[\x21\x23-\x5b\x5d-\x7e ]{1,500}$/)
      .optional(),
    {
      meaning: 'scopes to request; for GitHub `read:user user:email`',
      expected: 'scopes separated by spaces, such as openid email profile',
      unset: '`openid email profile`',
    },
  ),
  OIDC_NAME: setting(textLine(60).optional(), {
    meaning: 'name of the provider on the button “Sign in with …”',
    expected: 'up to 60 characters of text, such as Harbour Makers',
    unset: 'its host',
  }),
  MEMBERS_ALLOWED: setting(accessRules.optional(), {
    meaning:
      '[who may sign in](operate/members.md#who-may-sign-in): domains, email addresses, `claim=value`, or `*`',
    expected: accessExpected,
    unset: 'required with `OIDC_ISSUER`',
  }),
  ADMINS: setting(accessRules.default([]), {
    meaning: 'which of them are admins and may open `/admin`, written the same way',
    expected: accessExpected,
    unset: 'none',
  }),
  MEMBERS_KEY_DAYS: setting(wholeNumberSetting(1, 3650, 90), {
    meaning: 'days after a member’s last sign-in until their keys stop working',
    expected: 'a whole number of days from 1 to 3650',
  }),
} as const;
