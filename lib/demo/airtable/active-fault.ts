import type { Fault } from './faults.ts';

export type ActiveFault = {
  arm(fault: Fault | null): void;
  /** The fault that this call meets, if any; it is used up by being taken. */
  take(call: FaultedCall): Fault | null;
};

/** What a fault has to know of a call to decide whether it strikes. */
export type FaultedCall = {
  readonly on: 'records' | 'attachments';
  readonly pagesBefore: number;
  readonly hasOffset: boolean;
};

/** Holds the one fault that is set, and counts it down. */
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
