import type { Fault } from './faults.ts';

export type ActiveFault = {
  arm(fault: Fault | null): void;
  /** Returns the fault that applies to this request, if any, and counts it. */
  take(call: FaultedCall): Fault | null;
};

/** The properties of a request that decide whether a fault applies. */
export type FaultedCall = {
  readonly on: 'records' | 'attachments';
  readonly pagesBefore: number;
  readonly hasOffset: boolean;
};

/** Stores the current fault, and clears it after its number of requests. */
export function createActiveFault(): ActiveFault {
  let armed: Fault | null = null;
  let strikesLeft = 0;
  return {
    arm(fault) {
      armed = fault;
      strikesLeft = fault?.times ?? Number.POSITIVE_INFINITY;
    },
    take(call) {
      if (armed === null || strikesLeft <= 0 || !isMet(armed, call)) return null;
      strikesLeft -= 1;
      return armed;
    },
  };
}

function isMet(fault: Fault, call: FaultedCall): boolean {
  if ((fault.on ?? 'records') !== call.on) return false;
  if (fault.kind === 'expired-iterator' && !call.hasOffset) return false;
  return call.on === 'attachments' || call.pagesBefore >= (fault.afterPages ?? 0);
}
