import {
  isLoopback,
  textLine,
  urlOf,
  webUrl,
  wholeNumberSetting,
  word,
} from '../setting-schemas.ts';
import { setting } from './setting.ts';

const pepper = word(1000).min(32).optional();
const pepperExpected = 'a secret of 32 to 1000 characters without spaces';

export const storageSettings = {
  DATA_DIR: setting(textLine(1000).default('./data'), {
    meaning: 'folder for pictures and the embedded database',
    expected: 'the path of a folder, such as ./data',
  }),
  DATABASE_URL: setting(urlOf(/^postgres(ql)?:$/), {
    meaning: '`postgres://…` stores keys and usage in PostgreSQL instead',
    expected:
      'the URL of a PostgreSQL database, such as postgres://user:password@host:5432/marquee',
    secret: true,
  }),
  KEY_PEPPER: setting(pepper, {
    meaning: 'secret mixed into the hashes of API keys; required with `DATABASE_URL`',
    expected: pepperExpected,
    unset: 'created in `DATA_DIR`',
    secret: true,
  }),
  KEY_PEPPER_PREVIOUS: setting(pepper, {
    meaning: 'the previous pepper: its keys work until they are rotated',
    expected: pepperExpected,
    secret: true,
  }),
  LEAKED_KEYS_URL: setting(
    webUrl.refine((text) => text.startsWith('https:') || isLoopback(new URL(text))).optional(),
    {
      meaning:
        'public keys that [reports of leaked keys](operate/security.md#secrets) are signed with',
      expected:
        'the https URL of the public keys that reports are signed with, such as https://api.github.com/meta/public_keys/secret_scanning',
    },
  ),
  USAGE_DAYS: setting(wholeNumberSetting(1, 36_500, 400), {
    meaning: 'days for which usage records are stored',
    expected: 'a whole number of days from 1 to 36500',
  }),
} as const;
