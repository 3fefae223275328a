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

/**
 * By country: other parts that people write behind a city, in English and as they are called there. What is a large
 * city, too, as Hamburg, is left out.
 */
const partNames: Readonly<Record<string, string>> = {
  AR: 'Entre Ríos, Misiones, Chubut, Patagonia',
  AT: 'Lower Austria, Niederösterreich, Upper Austria, Oberösterreich, Styria, Steiermark, Tyrol, Tirol, Carinthia, Kärnten, Vorarlberg, Burgenland',
  BE: 'Flanders, Vlaanderen, Vlaams Gewest, Flandre, Wallonia, Wallonie, Wallonië, East Flanders, Oost-Vlaanderen, West Flanders, West-Vlaanderen, Flemish Brabant, Vlaams-Brabant, Walloon Brabant, Brabant wallon, Hainaut, Limburg',
  BR: 'Alagoas, Amapá, Amazonas, Bahia, Ceará, Distrito Federal, Espírito Santo, Goiás, Maranhão, Mato Grosso, Mato Grosso do Sul, Minas Gerais, Pará, Paraíba, Paraná, Pernambuco, Piauí, Rio Grande do Norte, Rio Grande do Sul, Rondônia, Roraima, Santa Catarina, Sergipe, Tocantins',
  CH: 'Vaud, Valais, Wallis, Ticino, Tessin, Aargau, Graubünden, Grisons, Thurgau, Jura, Canton of Zürich, Kanton Zürich',
  CN: 'Guangdong, Zhejiang, Jiangsu, Sichuan, Hubei, Hunan, Shandong, Fujian, Henan, Hebei, Shaanxi, Shanxi, Yunnan, Guangxi, Hainan, Liaoning, Heilongjiang, Anhui, Jiangxi, Guizhou, Inner Mongolia, Tibet, Xinjiang',
  CO: 'Antioquia, Cundinamarca, Valle del Cauca, Atlántico',
  CZ: 'Bohemia, Čechy, Moravia, Morava, South Moravia, Jihomoravský kraj, Central Bohemia',
  DE: 'Baden-Württemberg, Bavaria, Bayern, Bavière, Baviera, Brandenburg, Hesse, Hessen, Lower Saxony, Niedersachsen, Mecklenburg-Vorpommern, Mecklenburg-Western Pomerania, North Rhine-Westphalia, Nordrhein-Westfalen, NRW, Rhineland-Palatinate, Rheinland-Pfalz, Saarland, Saxony, Sachsen, Saxony-Anhalt, Sachsen-Anhalt, Schleswig-Holstein, Thuringia, Thüringen',
  DK: 'Jutland, Jylland, Zealand, Sjælland, Funen, Fyn, Hovedstaden, Midtjylland, Syddanmark, Nordjylland',
  ES: 'Andalusia, Andalucía, Aragon, Aragón, Asturias, Balearic Islands, Illes Balears, Islas Baleares, Basque Country, Euskadi, País Vasco, Canary Islands, Islas Canarias, Cantabria, Castile and León, Castilla y León, Castilla-La Mancha, Catalonia, Catalunya, Cataluña, Catalogne, Extremadura, Galicia, Navarre, Navarra, Comunidad Valenciana, Valencian Community, La Rioja, Mallorca, Tenerife, Ibiza',
  FR: 'Auvergne-Rhône-Alpes, Brittany, Bretagne, Burgundy, Bourgogne, Bourgogne-Franche-Comté, Corsica, Corse, Grand Est, Alsace, Lorraine, Hauts-de-France, Île-de-France, Normandy, Normandie, Nouvelle-Aquitaine, Occitanie, Occitania, Pays de la Loire, Provence, Provence-Alpes-Côte d’Azur, PACA',
  ID: 'Bali, Java, West Java, Jawa Barat, Central Java, Jawa Tengah, East Java, Jawa Timur, Sumatra, North Sumatra, Sumatera Utara, Sulawesi, South Sulawesi, Banten, Lombok',
  IE: 'Leinster, Munster, Connacht, Ulster, County Cork, Co. Cork, County Dublin, Co. Dublin, County Galway, Co. Galway, County Kerry, Co. Kerry, County Limerick, Co. Limerick',
  IN: 'Andhra Pradesh, Assam, Bihar, Chhattisgarh, Goa, Gujarat, Haryana, Himachal Pradesh, Jharkhand, Karnataka, Kerala, Madhya Pradesh, Maharashtra, Odisha, Punjab, Rajasthan, Tamil Nadu, Tamilnadu, Telangana, Uttar Pradesh, Uttarakhand, West Bengal',
  IT: 'Abruzzo, Apulia, Puglia, Basilicata, Calabria, Campania, Emilia-Romagna, Friuli-Venezia Giulia, Lazio, Liguria, Lombardy, Lombardia, Marche, Piedmont, Piemonte, Sardinia, Sardegna, Sicily, Sicilia, Trentino, Trentino-Alto Adige, South Tyrol, Südtirol, Alto Adige, Tuscany, Toscana, Umbria, Veneto',
  JP: 'Hokkaido, Hokkaidō, 北海道, Honshu, Kyushu, Kansai, Aichi, Hyogo, Kanagawa, Ibaraki, Okinawa, Miyagi, Shiga, Ishikawa, Ehime, Tochigi, Gunma, Yamanashi, Kagawa, 愛知県, 神奈川県, 兵庫県, 福岡県, 沖縄県, 宮城県, 茨城県, 埼玉県, 千葉県',
  KR: 'Gyeonggi, Gyeonggi-do, 경기도, Gangwon, Gangwon-do, 강원도, Gyeongsangnam-do, Gyeongsangbuk-do, Chungcheongnam-do, Chungcheongbuk-do, Jeju Island, Jeju-do, 제주도',
  MX: 'Jalisco, Nuevo León, Estado de México, Quintana Roo, Yucatán, Baja California, Baja California Sur, Sonora, Sinaloa, Coahuila, Tamaulipas, Michoacán, CDMX',
  MY: 'Selangor, Penang, Pulau Pinang, Johor, Sabah, Sarawak, Perak, Kedah, Pahang',
  NL: 'North Holland, Noord-Holland, South Holland, Zuid-Holland, North Brabant, Noord-Brabant, Gelderland, Friesland, Fryslân, Overijssel, Zeeland, Drenthe, Flevoland, Limburg',
  NO: 'Vestland, Viken, Akershus, Rogaland, Trøndelag, Nordland, Troms, Finnmark, Innlandet, Agder, Telemark, Vestfold',
  NZ: 'Otago, Waikato, Bay of Plenty, Taranaki, Hawke’s Bay, Southland, Northland, South Island, North Island',
  PK: 'Sindh, Punjab, Khyber Pakhtunkhwa, Balochistan',
  PL: 'Lesser Poland, Małopolska, Greater Poland, Wielkopolska, Mazovia, Mazowieckie, Mazowsze, Silesia, Śląsk, Lower Silesia, Dolny Śląsk, Pomerania, Pomorze, Pomorskie, Podlasie, Lubelskie, Małopolskie, Śląskie, Dolnośląskie, Wielkopolskie',
  PT: 'Algarve, Alentejo, Azores, Açores, Madeira, Minho',
  RO: 'Transylvania, Transilvania, Ardeal, Banat, Maramureș',
  RU: 'Tatarstan, Siberia, Karelia, Bashkortostan, Dagestan, Chechnya',
  SE: 'Skåne, Scania, Västra Götaland, Östergötland, Småland, Dalarna, Norrbotten, Västerbotten, Halland, Blekinge, Värmland, Gotland',
  TR: 'Anatolia, Cappadocia',
  UA: 'Crimea, Donbas, Zakarpattia',
  ZA: 'Gauteng, Western Cape, Eastern Cape, KwaZulu-Natal, KZN, Free State, Mpumalanga, Limpopo',
};

type RegionIndex = ReadonlyMap<string, readonly Region[]>;

let regionsByName: RegionIndex | null = null;
let partsByName: RegionIndex | null = null;

/** The regions that a name or code means, in any country: `Texas`, `TX`, `US-TX`. */
export function listRegions(name: string): readonly Region[] {
  regionsByName ??= groupByKey(
    Object.entries(regionNames).flatMap(([country, names]) =>
      Object.entries(names).flatMap(([code, name]) =>
        [code, name].map((text) => [text, { country, code }] as const),
      ),
    ),
  );
  const [, of, code] = /^([a-z]{2})-(.+)$/i.exec(name) ?? [];
  const regions = regionsByName.get(toCountryKey(code ?? name)) ?? [];
  return of === undefined ? regions : regions.filter(({ country }) => country === of.toUpperCase());
}

/** The regions that a name means, also those that addresses do not have, with their names as they are written. */
export function listParts(name: string): readonly Region[] {
  partsByName ??= groupByKey(
    Object.entries(partNames).flatMap(([country, names]) =>
      names.split(', ').map((part) => [part, { country, code: part }] as const),
    ),
  );
  const plain = name.replace(/ (?:prefecture|province|region)$/i, '');
  const parts = partsByName.get(toCountryKey(plain)) ?? [];
  return [...listRegions(name), ...parts.map(({ country }) => ({ country, code: name }))];
}

/** Whether a state of the country has this code. */
export function isRegionCode(code: string, country: string): boolean {
  return regionNames[country]?.[code] !== undefined;
}

/** Codes behind the towns of their country, which mean other places elsewhere: states of Brazil, provinces of Italy. */
const localCodes = {
  BR: 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO',
  IT:
    'AG AL AN AO AP AQ AR AT AV BA BG BI BL BN BO BR BS BT BZ CA CB CE CH CL CN CO CR CS CT CZ EN FC FE' +
    ' FG FI FM FR GE GO GR IM IS KR LC LE LI LO LT LU MB MC ME MI MN MO MS MT NA NO NU OR PA PC PD PE PG' +
    ' PI PN PO PR PT PU PV PZ RA RC RE RG RI RM RN RO SA SI SO SP SR SS SU SV TA TE TN TO TP TR TS TV UD' +
    ' VA VB VC VE VI VR VS VT VV',
};

export function isLocalCode(code: string, country: keyof typeof localCodes): boolean {
  return localCodes[country].split(' ').includes(code);
}

function groupByKey(regions: readonly (readonly [name: string, region: Region])[]): RegionIndex {
  const byKey = new Map<string, Region[]>();
  for (const [name, region] of regions) {
    const key = toCountryKey(name);
    const others = byKey.get(key) ?? [];
    // Some are called the same in two languages.
    const isKnown = others.some(
      ({ country, code }) =>
        country === region.country && toCountryKey(code) === toCountryKey(region.code),
    );
    if (!isKnown) byKey.set(key, [...others, region]);
  }
  return byKey;
}
