import windowsZones from 'cldr-core/supplemental/windowsZones.json' with { type: 'json' };
import { foldText } from '../../words/fold-text.ts';

/**
 * What people call the clocks of a zone, without “time” at the end. Names of standard time mean the zone, in summer too.
 * From the tz database’s abbreviations and comments, and Wikipedia’s “List of time zone abbreviations” for those of
 * several meanings. ICU’s own are not used: its BST is Dhaka, and its ART Cairo.
 */
const namesByZone: Readonly<Record<string, string>> = {
  UTC: 'utc, z, zulu, gmt, ut, coordinated universal, greenwich mean',
  'Europe/Brussels': 'cet, cest, mez, mesz, central european, central european summer',
  'Europe/Athens': 'eet, eest, oez, eastern european, eastern european summer',
  'Europe/Lisbon': 'wet, west, western european, western european summer',
  'Europe/London': 'uk, british, british summer',
  'Europe/Dublin': 'irish, irish standard',
  'Europe/Moscow': 'msk',
  'Europe/Istanbul': 'trt',
  'America/New_York': 'et, est, edt, eastern, eastern standard, eastern daylight, us eastern',
  'America/Chicago': 'ct, central, central standard, central daylight, us central',
  'America/Denver': 'mt, mst, mdt, mountain, mountain standard, mountain daylight, us mountain',
  'America/Los_Angeles': 'pt, pdt, pacific, pacific standard, pacific daylight, us pacific',
  'America/Anchorage': 'akst, akdt, alaska',
  'Pacific/Honolulu': 'hst, hawaii',
  'America/St_Johns': 'ndt, newfoundland',
  'America/Halifax': 'adt, atlantic',
  'America/Sao_Paulo': 'brt, brasilia',
  'America/Santiago': 'clt, clst',
  'America/Bogota': 'cot',
  'America/Lima': 'pet',
  'America/Montevideo': 'uyt',
  'Asia/Tokyo': 'jst, japan standard',
  'Asia/Seoul': 'kst, korea standard',
  'Asia/Shanghai': 'beijing',
  'Asia/Hong_Kong': 'hkt',
  'Asia/Singapore': 'sgt',
  'Asia/Kuala_Lumpur': 'myt',
  'Asia/Manila': 'pht, phst',
  'Asia/Bangkok': 'ict',
  'Asia/Jakarta': 'wib',
  'Asia/Makassar': 'wita',
  'Asia/Jayapura': 'wit',
  'Asia/Karachi': 'pkt',
  'Asia/Kathmandu': 'npt',
  'Asia/Kolkata': 'indian standard',
  'Asia/Jerusalem': 'idt',
  'Africa/Lagos': 'wat',
  'Africa/Maputo': 'cat',
  'Africa/Nairobi': 'eat',
  'Africa/Johannesburg': 'sast',
  'Australia/Sydney':
    'aest, aedt, australian eastern, australian eastern standard, aus eastern standard',
  'Australia/Adelaide': 'acst, acdt, australian central, australian central standard',
  'Australia/Perth': 'awst, australian western, australian western standard',
  'Pacific/Auckland': 'nzst, nzdt, new zealand',
  'Etc/GMT+12': 'aoe, anywhere on earth',
};

/** Abbreviations of several meanings: the country or the coordinates of an event choose one. */
const meanings: Readonly<Record<string, readonly string[]>> = {
  act: ['America/Rio_Branco', 'Australia/Sydney', 'Australia/Adelaide'],
  amt: ['America/Manaus', 'Asia/Yerevan'],
  art: ['America/Argentina/Buenos_Aires', 'Africa/Cairo'],
  ast: ['America/Halifax', 'America/Puerto_Rico', 'Asia/Riyadh'],
  bst: ['Europe/London', 'Asia/Dhaka', 'Pacific/Bougainville'],
  cdt: ['America/Chicago', 'America/Havana'],
  cst: ['America/Chicago', 'America/Mexico_City', 'Asia/Shanghai', 'America/Havana'],
  ect: ['America/Guayaquil', 'America/Puerto_Rico'],
  gst: ['Asia/Dubai', 'Atlantic/South_Georgia'],
  ist: ['Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem'],
  // Philippine Standard Time.
  pst: ['America/Los_Angeles', 'Asia/Manila'],
  nst: ['America/St_Johns', 'Asia/Kathmandu'],
  sst: ['Pacific/Pago_Pago', 'Asia/Singapore'],
};

/** As Windows and Outlook name them, in lower case: `w. europe standard time`; from CLDR, whatever the country. */
export const zonesOfWindows: ReadonlyMap<string, string> = new Map(
  windowsZones.supplemental.windowsZones.mapTimezones
    .filter(({ mapZone }) => mapZone._territory === '001')
    .map(({ mapZone: { _other: name, _type: zone } }) => [foldText(name), zone] as const)
    // Offsets have their own signs.
    .filter(([name]) => name.includes(' time')),
);

/** Of these, the first meaning is meant where the place does not choose another one. */
export const usualNames: ReadonlySet<string> = new Set(['cdt', 'pst']);

/** By name, in lower case: the zones that it may mean. */
export const zonesByName: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(namesByZone).flatMap(([zone, names]) =>
    names.split(', ').map((name) => [name, [zone]] as const),
  ),
  ...Object.entries(meanings),
]);

/** Zones whose clocks never change, for offsets that are no whole hours. */
export const zonesByOffset: Readonly<Record<string, string>> = {
  '+03:30': 'Asia/Tehran',
  '+04:30': 'Asia/Kabul',
  '+05:30': 'Asia/Kolkata',
  '+05:45': 'Asia/Kathmandu',
  '+06:30': 'Asia/Yangon',
  '+08:45': 'Australia/Eucla',
  '+09:30': 'Australia/Darwin',
  '-09:30': 'Pacific/Marquesas',
};

/** Names that the tz database has replaced, and that ICU still lists. */
export const renamedZones: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};
