/** Occurs in every text that a fault sends, so that tests can prove that none of it leaks. */
export const faultCanary = 'xyzzy-upstream-canary';
