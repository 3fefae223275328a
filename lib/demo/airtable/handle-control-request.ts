import type { IncomingMessage } from 'node:http';
import { readJson } from '../read-json.ts';
import { type AirtableReply, notFoundReply, toJsonReply } from './airtable-reply.ts';
import type { AirtableStats } from './airtable-stats.ts';
import { type Fault, parseFault } from './faults.ts';

/** What other processes can control. */
export type Controls = {
  readonly setFault: (fault: Fault | null) => void;
  readonly advanceClock: (ms: number) => void;
  readonly stats: () => AirtableStats;
};

/**
 * Handles the paths under `/demo/`, which Airtable does not have: tests in other processes, and
 * people with curl, set faults and read statistics.
 */
export async function handleControlRequest(
  request: IncomingMessage,
  controls: Controls,
): Promise<AirtableReply> {
  switch (`${request.method} ${request.url}`) {
    case 'GET /demo/stats':
      return toJsonReply(200, controls.stats());
    case 'POST /demo/fault': {
      const parsed = parseFault(await readJson(request));
      if (!parsed.ok) return toJsonReply(400, { problem: parsed.problem });
      controls.setFault(parsed.fault);
      return toJsonReply(200, { fault: parsed.fault });
    }
    case 'POST /demo/clock': {
      const body = await readJson(request);
      const ms = typeof body === 'object' && body && 'advanceMs' in body ? body.advanceMs : null;
      if (typeof ms !== 'number') return toJsonReply(400, { problem: 'advanceMs is a number' });
      controls.advanceClock(ms);
      return toJsonReply(200, { advancedMs: ms });
    }
    default:
      return notFoundReply;
  }
}
