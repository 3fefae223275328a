import { closestMatch } from 'leven';
import type { Environment } from './config.ts';
import { settings } from './settings.ts';

const names = Object.entries(settings).flatMap(([name, setting]) =>
  'secret' in setting ? [name, `${name}_FILE`] : [name],
);
/** Prefixes that only variables of ours have. */
const ownPrefix = /^(AIRTABLE|AI|EVENTS|PROXY|SITE)_/;

/** Finds variables that look like settings but are not, and says which setting may be meant. */
export function findMisspelledSettings(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => !names.includes(name))
    .flatMap((name) => {
      const maxDistance = ownPrefix.test(name) ? 4 : Math.min(2, Math.floor(name.length / 5));
      const nearest = closestMatch(name, names, { maxDistance });
      return nearest === undefined ? [] : [`${name} is not a setting. Did you mean ${nearest}?`];
    });
}
