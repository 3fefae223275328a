import { channels } from '#lib/telemetry/channels.ts';
import {
  Bill,
  type BillOptions,
  type BillParts,
  findFactor,
  nothingYet,
  toPromptTokens,
} from './bill.ts';
import { toKilledEntry } from './billed-call.ts';
import { addReserved, toDemand } from './demand.ts';
import { type Granted, toWholeDemand } from './ledger/decide.ts';
import { toUsageRecord } from './ledger/usage-record.ts';
import { orUnavailable, requireGranted, toReservationHeaders } from './rate-limits.ts';

/**
 * Reserves what a request may need. Its record is in the database from the start, also after `kill -9`.
 * @throws HttpError 402 or 429 if that is not left, 503 while the database is away
 */
export async function openBill(parts: BillParts, options: BillOptions): Promise<Bill> {
  const { ledger, leases, now } = parts;
  const { request, need, first } = options;
  const { at } = request;
  const { limits } = request.key;
  const demand = toWholeDemand(toDemand(need, findFactor(parts, options)));
  const id = parts.nextId();
  const toRecord = ({ outputTokens }: Granted) => {
    const promptTokens = toPromptTokens(parts, options);
    const call = { request, need, target: first, promptTokens, outputTokens, reply: nothingYet };
    return toUsageRecord(toKilledEntry(call, null), id, now());
  };
  const { decision, uses } = await orUnavailable(
    ledger.reserve(id, { limits, at, demand, toRecord }),
  );
  const granted = requireGranted(decision, limits, uses, now());
  const refreshed = options.refreshNeed?.() ?? need;
  if (need.unknownUsd > 0 && refreshed.unknownUsd === 0) {
    // What it costs has become known meanwhile.
    ledger.cancel(id);
    return openBill(parts, { ...options, need: refreshed });
  }
  const headers = toReservationHeaders(limits, addReserved(uses, granted, demand), now());
  const bill = new Bill(parts, options, { id, demand, reservation: { ...granted, headers } });
  leases.add(toRecord(granted), () => bill.toRecord());
  channels.reservations.publish(1);
  return bill;
}
