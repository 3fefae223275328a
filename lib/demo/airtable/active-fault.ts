import type { Fault } from './faults.ts';

export type ActiveFault = {
  set(fault: Fault | null): void;
  /** Returns the fault that applies to this request, if any, and counts it. */
  take(target: FaultTarget): Fault | null;
};

/** The properties of a request that decide whether a fault applies. */
export type FaultTarget = {
  readonly on: 'records' | 'attachments';
  readonly pagesBefore: number;
  readonly hasOffset: boolean;
};

/** Stores the current fault, and clears it after its number of requests. */
export function createActiveFault(): ActiveFault {
  let active: Fault | null = null;
  let timesLeft = 0;
  return {
    set(fault) {
      active = fault;
      timesLeft = fault?.times ?? Number.POSITIVE_INFINITY;
    },
    take(target) {
      if (active === null || timesLeft <= 0 || !applies(active, target)) return null;
      timesLeft -= 1;
      return active;
    },
  };
}

function applies(fault: Fault, target: FaultTarget): boolean {
  if ((fault.on ?? 'records') !== target.on) return false;
  if (fault.kind === 'expired-iterator' && !target.hasOffset) return false;
  return target.on === 'attachments' || target.pagesBefore >= (fault.afterPages ?? 0);
}
