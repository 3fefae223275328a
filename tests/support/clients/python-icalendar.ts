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
    return None if value is None or not hasattr(value, 'dt') else value.dt.isoformat().replace('+00:00', 'Z')
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

const zoneProgram = `
import json, sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo
def moment(date, time, zone):
    local = datetime.fromisoformat(f'{date}T{time}:00').replace(tzinfo=ZoneInfo(zone))
    return local.astimezone(timezone.utc).isoformat().replace('+00:00', 'Z')
print(json.dumps([moment(*local) for local in json.load(sys.stdin)]))
`;

/** The moments in UTC of local times (date, time, IANA zone), as Python’s zoneinfo resolves them. */
export function toMomentsWithPython(
  locals: readonly (readonly [date: string, time: string, zone: string])[],
): string[] {
  const input = JSON.stringify(locals);
  return JSON.parse(execFileSync(python, ['-c', zoneProgram], { input, encoding: 'utf8' }));
}
