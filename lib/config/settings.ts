import type { z } from 'zod';
import { eventsSettings } from './settings/events.ts';
import { memberSettings } from './settings/members.ts';
import { notificationSettings } from './settings/notifications.ts';
import { limitSettings, upstreamSettings } from './settings/proxy.ts';
import { monitoringSettings, serverSettings } from './settings/server.ts';
import { siteSettings } from './settings/site.ts';
import { storageSettings } from './settings/storage.ts';

/** Every setting by the heading of `/docs/settings` that it stands below. */
export const settingGroups = {
  'Web server': serverSettings,
  'Logs, metrics and traces': monitoringSettings,
  Site: siteSettings,
  Events: eventsSettings,
  'Webhooks and mail': notificationSettings,
  'Database and keys': storageSettings,
  Members: memberSettings,
  'Limits and budgets': limitSettings,
  'AI upstreams': upstreamSettings,
} as const;

export const settings = {
  ...serverSettings,
  ...monitoringSettings,
  ...siteSettings,
  ...eventsSettings,
  ...notificationSettings,
  ...storageSettings,
  ...memberSettings,
  ...limitSettings,
  ...upstreamSettings,
} as const;

export type SettingName = keyof typeof settings;
export type SettingValues = {
  readonly [N in SettingName]: z.output<(typeof settings)[N]['schema']>;
};
