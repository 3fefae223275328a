import type { EventsSource } from '#lib/events/store/source.ts';
import { HttpError } from '#lib/http/errors.ts';

/** Stands in for the table where its credentials are not set: every read says which one is missing. */
export function missingCredentials(variable: 'AIRTABLE_TOKEN' | 'AIRTABLE_BASE_ID'): EventsSource {
  return {
    async read() {
      throw new HttpError('server_misconfigured', {
        message: 'This server has no access to its table of events yet.',
        hint: `Whoever runs it has to set ${variable}.`,
        reason: `${variable} is not set`,
      });
    },
  };
}
