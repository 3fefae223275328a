import { loadEnvFile } from '#lib/config/env-file.ts';

/**
 * Settings from `.env`, and production unless NODE_ENV says otherwise. Imported before everything else:
 * React and Next read NODE_ENV when they are loaded.
 */
loadEnvFile();

const { NODE_ENV = 'production', NEXT_TELEMETRY_DISABLED = '1' } = process.env;
Object.assign(process.env, { NODE_ENV, NEXT_TELEMETRY_DISABLED });

// By default the signal ends the process, also while it still starts.
process.on('SIGHUP', () => {});
