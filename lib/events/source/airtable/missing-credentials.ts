import { createApiError } from '#lib/http/errors/errors.ts';
import type { EventsSource } from '../source.ts';

/** Replaces the table when a credential is not set: every read fails with its name. */
export function missingCredentials(variable: 'AIRTABLE_TOKEN' | 'AIRTABLE_BASE_ID'): EventsSource {
  return {
    async read() {
      throw createApiError('server_misconfigured', {
        message: 'This server has no access to its events table yet.',
        hint: `Its operator has to set ${variable}.`,
        reason: `${variable} is not set`,
      });
    },
  };
}
