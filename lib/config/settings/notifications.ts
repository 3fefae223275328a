import {
  hostList,
  mailAddress,
  percentages,
  urlOf,
  webUrlWithQuery,
  wholeNumberSetting,
} from '../setting-schemas.ts';
import { setting } from './setting.ts';

export const notificationSettings = {
  SMTP_URL: setting(urlOf(/^smtps?:$/), {
    meaning: '`smtp://user:password@host:587` or `smtps://…`: server that sends emails',
    expected:
      'the URL of a mail server, such as smtp://user:password@mail.example:587, or smtps://…',
    secret: true,
  }),
  MAIL_FROM: setting(mailAddress, {
    meaning: 'sender of the emails; required with `SMTP_URL`',
    expected: 'an email address, such as events@mail.example',
  }),
  MAIL_SESSIONS: setting(wholeNumberSetting(1, 50, 4), {
    meaning:
      'emails that are sent at once: more, up to 50, where the mail server takes long for each',
    expected: 'a whole number from 1 to 50',
  }),
  WEBHOOK_HOSTS: setting(hostList.default([]), {
    meaning: 'hosts of webhooks that may be on any network, by http, too: `host:port`',
    expected: 'hosts, separated by commas, such as hooks.internal:8080,automation.example',
    unset: 'none',
  }),
  BUDGET_ALERTS: setting(percentages.default([]), {
    meaning:
      'levels of [budgets](budgets.md#alerts) that webhooks are told of, in percent, such as `50, 80, 100`',
    expected: 'whole numbers from 1 to 100, separated by commas, such as 50,80,100',
    unset: 'none',
  }),
  WEBSUB_HUB: setting(webUrlWithQuery, {
    meaning: 'WebSub hub that is told when the feeds change',
    expected: 'the http(s) URL of a hub, such as https://hub.example/',
  }),
} as const;
