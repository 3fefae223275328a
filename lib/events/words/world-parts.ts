/** Parts of the world that people name, by the ISO 3166-1 codes of their countries (continents as in UN M49). */
const codesByPart: Readonly<Record<string, string>> = {
  Europe:
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  Africa:
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  Asia: 'AE AF AM AZ BD BH BN BT CN GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  'North America':
    'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI',
  'South America': 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
  Oceania: 'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV VU WF WS',
  'Latin America': 'AR BO BR BZ CL CO CR CU DO EC GF GT GY HN HT MX NI PA PE PR PY SR SV UY VE',
  'Central America': 'BZ CR GT HN NI PA SV',
  Caribbean: 'AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI',
  'Middle East': 'AE BH CY EG IL IQ IR JO KW LB OM PS QA SA SY TR YE',
  'Southeast Asia': 'BN ID KH LA MM MY PH SG TH TL VN',
  Benelux: 'BE LU NL',
  Scandinavia: 'DK NO SE',
  'Nordic countries': 'AX DK FI FO GL IS NO SE',
  'Baltic states': 'EE LT LV',
  DACH: 'AT CH DE',
  Balkans: 'AL BA BG GR HR ME MK RO RS SI XK',
  Iberia: 'AD ES GI PT',
  'British Isles': 'GB GG IE IM JE',
};

/** Folded: what else a search may call them. */
const otherNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    nordics: 'Nordic countries',
    baltics: 'Baltic states',
    europa: 'Europe',
    skandinavien: 'Scandinavia',
    afrika: 'Africa',
    asien: 'Asia',
  }),
);

/** A part of the world, and its countries. */
export type WorldPart = Readonly<{ name: string; countries: ReadonlySet<string> }>;

const parts: ReadonlyMap<string, WorldPart> = new Map(
  Object.entries(codesByPart).map(([name, codes]) => [
    name.toLowerCase(),
    { name, countries: new Set(codes.split(' ')) },
  ]),
);

/** The part of the world that a folded name means; null if there is none. */
export function findWorldPart(name: string): WorldPart | null {
  return parts.get(name) ?? parts.get((otherNames.get(name) ?? '').toLowerCase()) ?? null;
}
