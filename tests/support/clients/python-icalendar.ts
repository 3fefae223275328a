import { execFileSync } from 'node:child_process';

/** An entry as a calendar library reads it; the end is exclusive, and null if there is none. */
export type ReadEntry = Readonly<{
  uid: string;
  summary: string;
  start: string | null;
  end: string | null;
  location: string | null;
  status: string;
  sequence: number;
}>;

// Debian's interpreter, which has Debian's packages; another `python3` may come first on the PATH.
const python = '/usr/bin/python3';

const program = `
import json, sys
from icalendar import Calendar
def day(value):
    return None if value is None or not hasattr(value, 'dt') else value.dt.isoformat()
calendar = Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps([{
    'uid': str(entry['UID']),
    'summary': str(entry['SUMMARY']),
    'start': day(entry['DTSTART']),
    'end': day(entry.get('DTEND')),
    'location': None if 'LOCATION' not in entry else str(entry['LOCATION']),
    'status': str(entry['STATUS']),
    'sequence': int(entry['SEQUENCE']),
} for entry in calendar.walk('VEVENT')]))
`;

/** Reads a calendar with Debian's `python3-icalendar`. */
export function readWithPython(calendar: string): ReadEntry[] {
  const json = execFileSync(python, ['-c', program], { input: calendar, encoding: 'utf8' });
  return JSON.parse(json);
}
