import { toCountryKey } from './parse-country.ts';

/** A state, province or territory, or a part of the United Kingdom. */
export type Region = Readonly<{
  /** ISO 3166-1. */
  country: string;
  /** As in an address: `NY`. */
  code: string;
}>;

/** By country: the codes of its states as addresses have them, with their names. */
const regionNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  US: {
    AL: 'Alabama',
    AK: 'Alaska',
    AZ: 'Arizona',
    AR: 'Arkansas',
    CA: 'California',
    CO: 'Colorado',
    CT: 'Connecticut',
    DE: 'Delaware',
    DC: 'District of Columbia',
    FL: 'Florida',
    GA: 'Georgia',
    HI: 'Hawaii',
    ID: 'Idaho',
    IL: 'Illinois',
    IN: 'Indiana',
    IA: 'Iowa',
    KS: 'Kansas',
    KY: 'Kentucky',
    LA: 'Louisiana',
    ME: 'Maine',
    MD: 'Maryland',
    MA: 'Massachusetts',
    MI: 'Michigan',
    MN: 'Minnesota',
    MS: 'Mississippi',
    MO: 'Missouri',
    MT: 'Montana',
    NE: 'Nebraska',
    NV: 'Nevada',
    NH: 'New Hampshire',
    NJ: 'New Jersey',
    NM: 'New Mexico',
    NY: 'New York',
    NC: 'North Carolina',
    ND: 'North Dakota',
    OH: 'Ohio',
    OK: 'Oklahoma',
    OR: 'Oregon',
    PA: 'Pennsylvania',
    RI: 'Rhode Island',
    SC: 'South Carolina',
    SD: 'South Dakota',
    TN: 'Tennessee',
    TX: 'Texas',
    UT: 'Utah',
    VT: 'Vermont',
    VA: 'Virginia',
    WA: 'Washington',
    WV: 'West Virginia',
    WI: 'Wisconsin',
    WY: 'Wyoming',
  },
  // Addresses have no codes of them.
  GB: {
    England: 'England',
    'Northern Ireland': 'Northern Ireland',
    Scotland: 'Scotland',
    Wales: 'Wales',
  },
  CA: {
    AB: 'Alberta',
    BC: 'British Columbia',
    MB: 'Manitoba',
    NB: 'New Brunswick',
    NL: 'Newfoundland and Labrador',
    NS: 'Nova Scotia',
    NT: 'Northwest Territories',
    NU: 'Nunavut',
    ON: 'Ontario',
    PE: 'Prince Edward Island',
    QC: 'Quebec',
    SK: 'Saskatchewan',
    YT: 'Yukon',
  },
  AU: {
    ACT: 'Australian Capital Territory',
    NSW: 'New South Wales',
    NT: 'Northern Territory',
    QLD: 'Queensland',
    SA: 'South Australia',
    TAS: 'Tasmania',
    VIC: 'Victoria',
    WA: 'Western Australia',
  },
};

let regionsByName: ReadonlyMap<string, readonly Region[]> | null = null;

/** The regions that a name or code means, in any country. */
export function listRegions(name: string): readonly Region[] {
  regionsByName ??= indexRegions();
  return regionsByName.get(toCountryKey(name)) ?? [];
}

/** Whether a state of the country has this code. */
export function isRegionCode(code: string, country: string): boolean {
  return regionNames[country]?.[code] !== undefined;
}

function indexRegions(): Map<string, Region[]> {
  const regions = Object.entries(regionNames).flatMap(([country, names]) =>
    Object.entries(names).flatMap(([code, name]) =>
      [code, name].map((text) => ({ key: toCountryKey(text), region: { country, code } })),
    ),
  );
  const byKey = new Map<string, Region[]>();
  for (const { key, region } of regions) byKey.set(key, [...(byKey.get(key) ?? []), region]);
  return byKey;
}
