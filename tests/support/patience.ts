/**
 * How long a test waits for what must happen. Only a test that fails waits so long, however busy the machine
 * is. The commands with many requests set more.
 */
export const patienceMs = Number(process.env.MARQUEE_PATIENCE_SECONDS ?? 120) * 1000;
