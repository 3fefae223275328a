/** What the account page says when something did not work, by the `problem` of its URL. */
export const problems = {
  stale:
    'That sign-in took too long, was used before, or began in another browser. Please sign in again.',
  denied: 'You did not allow the sign-in, so you are not signed in.',
  refused:
    'The sign-in could not be checked. Please try again; if it keeps failing, tell the people who run this site.',
  provider:
    'The sign-in service does not respond at the moment. Your API keys keep working; please try again in a few minutes.',
  'not-allowed':
    'Your sign-in worked, but that account may not use this site. Use another one, or ask the people who run the site.',
  disabled:
    'Your account on this site is disabled. If that is a mistake, ask the people who run the site.',
  'not-again':
    'The sign-in service did not confirm your second sign-in, so nothing was changed. Please sign out, sign in, and try again.',
  'send-again':
    'You have signed in again. Nothing was changed yet: if you were sending a form, please send it once more.',
  'signed-out': 'Your session has ended. Please sign in and try again.',
  'key-name':
    'A name has 1 to 100 characters on one line, and does not begin with mq_ or key_. Please choose another one.',
  'key-taken': 'You already have a key with that name. Please choose another one.',
  'key-models': 'Please choose models from the list.',
  'key-expiry': 'A key expires after 1 to 9999 days, or never. Please choose from the list.',
  'key-budget':
    'Please write the budget like this: 5 USD/day, 50 USD/month, 200,000 tokens/day. Leave it empty for none.',
  'key-count':
    'You have 20 keys, which is the most that a member can have. Revoke one that you don’t need.',
  'key-pace': 'You have made 100 keys within a day. Please use one of them, or come back tomorrow.',
  'key-gone': 'That key has been revoked or has expired. Please create another one.',
  confirm: 'To delete your account, tick the box that says so.',
  'key-confirm': 'Tick the box first, since this cannot be undone. Nothing was changed.',
} as const;

export type ProblemCode = keyof typeof problems;

/** What the account page says after a change, by the `done` of its URL. */
export const doneTexts = {
  'key-renamed': 'Done: the key has its new name.',
  'key-revoked': 'Done: the key is revoked. It stops working within 5 seconds.',
  'alerts-chosen': 'Done: your choice is saved.',
  'session-ended': 'Done: that browser is signed out.',
} as const;

export type DoneCode = keyof typeof doneTexts;

export function findProblem(
  code: string | undefined,
  texts: Readonly<Record<string, string>> = problems,
): string | null {
  return (code !== undefined && Object.hasOwn(texts, code) && texts[code]) || null;
}

/** Where the database is away. */
export const accountsUnreadable =
  'Accounts cannot be read at the moment. Your API keys keep working; please try again in a minute.';
