/** A question or a search about the demo on Thursday 26 November 2026, at ten in UTC, and its answer. */
export type Question = Readonly<{
  q: string;
  /** Everything that it finds, in any order. */
  finds: readonly string[];
  /** What comes first, in this order. */
  first?: readonly string[];
  /** Nothing meets all of it: the words that were left out, and what comes first without them. */
  without?: string;
  closest?: readonly string[];
}>;

const free = [
  'Bench Test',
  'Fête des Électrons Libres',
  'Hz',
  'Keyboard Orchard',
  'Lantern Night',
  'Manuals for Imaginary Machines: a Zine Fair',
  'Moving Parts: a CAD Sprint',
  'Night Train Hackathon',
  'Overnight at the Observatory',
  'Paper Circuits',
  'Pocket Synth Build-Along',
  'Solder Sunday',
  'Tomorrow’s Machines',
  'Wandering Workshop',
  'Window Lights',
  'ورشة الإلكترونيات الصغيرة',
  '夜のゲームジャム',
];
const paid = [
  'Drawn by Machine',
  'Harbour Hack',
  'Mañana Makers',
  'Robot Sumo, Cardboard League',
  'Soapbox Derby for Robots',
];
const forKids = [
  'Mañana Makers',
  'Paper Circuits',
  'Robot Sumo, Cardboard League',
  'Soapbox Derby for Robots',
  'Solder Sunday',
  'ورشة الإلكترونيات الصغيرة',
  '夜のゲームジャム',
];
const freeOnWeekend = [
  'Keyboard Orchard',
  'Pocket Synth Build-Along',
  'Solder Sunday',
  'Tomorrow’s Machines',
  'Wandering Workshop',
  '夜のゲームジャム',
];
const freeAndOnlineNow = ['Keyboard Orchard', 'Pocket Synth Build-Along', '夜のゲームジャム'];
const freeAndOnlineInDecember = [
  'Keyboard Orchard',
  'Moving Parts: a CAD Sprint',
  'Pocket Synth Build-Along',
  'Window Lights',
];

/** In the order of their distance: in Ghent, Aachen, Utrecht and Zürich. */
const aroundBrussels = [
  'Robot Sumo, Cardboard League',
  'Wandering Workshop',
  'Solder Sunday',
  'Night Train Hackathon',
];

/** Of visitors and agents that got another answer before. */
const quoted: readonly Question[] = [
  { q: 'is Museum of Broken Things still on?', finds: ['Museum of Broken Things'] },
  { q: 'how do I get to Solder Sunday?', finds: ['Solder Sunday'] },
  { q: 'is Harbour Hack full?', finds: ['Harbour Hack'] },
  { q: 'overnite at the obervatory', finds: ['Overnight at the Observatory'] },
  {
    q: 'not online',
    finds: [
      'Attic Arcade',
      'Bench Test',
      'Forest Radio',
      'Fête des Électrons Libres',
      'Hz',
      'Lantern Night',
      'Mañana Makers',
      'Museum of Broken Things',
      'Night Train Hackathon',
      'Overnight at the Observatory',
      'Paper Circuits',
      'Salvage Saturday',
      'Soapbox Derby for Robots',
      'Solder Sunday',
      'Tomorrow’s Machines',
      'Wandering Workshop',
      'Ночь открытых схем',
      'ورشة الإلكترونيات الصغيرة',
    ],
  },
  { q: 'under 10 euro', finds: [...free, 'Drawn by Machine', 'Robot Sumo, Cardboard League'] },
  { q: 'paid events', finds: paid },
  {
    q: 'for free or cheap',
    finds: [
      ...free,
      'Drawn by Machine',
      'Robot Sumo, Cardboard League',
      'Soapbox Derby for Robots',
    ],
  },
  { q: 'kids', finds: forKids },
  { q: 'family', finds: forKids },
  {
    q: 'for 16-year-olds',
    finds: [
      'Bench Test',
      'Mañana Makers',
      'Night Train Hackathon',
      'Overnight at the Observatory',
      'Paper Circuits',
      'Robot Sumo, Cardboard League',
      'Soapbox Derby for Robots',
      'Solder Sunday',
      'Tomorrow’s Machines',
      'ورشة الإلكترونيات الصغيرة',
      '夜のゲームジャム',
    ],
  },
  {
    q: 'in person in december',
    finds: [
      'Harbour Hack',
      'Keyboard Orchard',
      'Mañana Makers',
      'Museum of Broken Things',
      'Night Train Hackathon',
      'Soapbox Derby for Robots',
      'Wandering Workshop',
    ],
  },
  {
    q: 'hackathon',
    finds: ['Night Train Hackathon', 'Tomorrow’s Machines'],
    first: ['Night Train Hackathon'],
  },
  { q: 'which is closest to brussels?', finds: aroundBrussels, first: aroundBrussels },
  { q: 'Events in Paris', finds: [], without: 'Paris', closest: ['Robot Sumo, Cardboard League'] },
  { q: 'München', finds: [], without: 'München', closest: ['Night Train Hackathon'] },
  { q: 'Was ist in Lissabon am Wochenende los?', finds: ['Tomorrow’s Machines'] },
  { q: '今週末の無料イベント', finds: freeOnWeekend },
  { q: '東京で何かある？', finds: ['夜のゲームジャム'] },
];

const inTenLanguages: readonly Question[] = [
  { q: 'Was ist heute Abend in Krakau los?', finds: ['Bench Test'] },
  {
    q: 'Gibt es kostenlose Veranstaltungen für Kinder im Dezember?',
    finds: [],
    without: 'kostenlose',
    closest: ['Soapbox Derby for Robots'],
  },
  { q: '¿Qué hay gratis en línea esta semana?', finds: freeAndOnlineNow },
  { q: 'eventos para niños en México', finds: ['Mañana Makers'] },
  { q: 'Que se passe-t-il à Zurich en décembre ?', finds: ['Night Train Hackathon'] },
  { q: 'Est-ce que Solder Sunday est gratuit ?', finds: ['Solder Sunday'] },
  { q: 'O que acontece em Lisboa amanhã?', finds: ['Tomorrow’s Machines'] },
  { q: 'eventos grátis online em dezembro', finds: freeAndOnlineInDecember },
  { q: '明日オンラインで参加できる無料のイベントは？', finds: freeAndOnlineNow },
  {
    q: '来月の子ども向けイベント',
    finds: ['Mañana Makers', 'Robot Sumo, Cardboard League', 'Soapbox Derby for Robots'],
  },
  { q: '이번 주말 무료 행사', finds: freeOnWeekend },
  { q: '도쿄에서 무슨 행사가 있나요?', finds: ['夜のゲームジャム'] },
  { q: '这个周末有什么免费活动？', finds: freeOnWeekend },
  { q: '东京有什么活动？', finds: ['夜のゲームジャム'] },
  { q: 'ماذا يحدث في لشبونة غدا؟', finds: ['Tomorrow’s Machines'] },
  { q: 'فعاليات مجانية عبر الإنترنت هذا الأسبوع', finds: freeAndOnlineNow },
  { q: 'Bu hafta sonu ücretsiz etkinlikler', finds: freeOnWeekend },
  { q: 'Lizbon’da yarın ne var?', finds: ['Tomorrow’s Machines'] },
  { q: 'Co się dzieje w Krakowie dzisiaj?', finds: ['Bench Test'] },
  { q: 'wydarzenia dla dzieci w Edynburgu', finds: ['Soapbox Derby for Robots'] },
];

const searches: readonly Question[] = [
  { q: 'robots for free', finds: [], without: 'robots' },
  { q: 'under €7', finds: [...free, 'Drawn by Machine'] },
  { q: 'cheap events in scotland', finds: ['Soapbox Derby for Robots'] },
  {
    q: 'not in person, in december',
    finds: [
      'Fix One Bug',
      'Ghost Stories in Plain Text',
      'Little Languages',
      'Mapmakers’ Month',
      'Moving Parts: a CAD Sprint',
      'PAPER CIRCUITS',
      'Parts Library',
      'Pocket Synth Build-Along',
      'Ship Something Small',
      'Tidy Repo Club',
      '🌱 Seedling Sprint',
    ],
  },
  { q: 'kids in edinburgh', finds: ['Soapbox Derby for Robots'] },
  { q: 'for 16 year olds in zurich', finds: ['Night Train Hackathon'] },
  {
    q: 'what does the solder society do?',
    finds: [
      'Bench Test',
      'Keyboard Orchard',
      'Paper Circuits',
      'Pocket Synth Build-Along',
      'Salvage Saturday',
      'Solder Sunday',
    ],
  },
  { q: 'what is on in things that glow?', finds: ['Lantern Night', 'Window Lights'] },
  { q: 'lantern club online', finds: ['Window Lights'] },
  {
    q: 'what is next in the cardboard league',
    finds: ['Soapbox Derby for Robots'],
  },
  { q: 'when is moving parts', finds: ['Moving Parts: a CAD Sprint'] },
  { q: 'paper circuits', finds: ['PAPER CIRCUITS', 'Paper Circuits'] },
  { q: 'parts libary', finds: ['Parts Library'] },
  { q: 'where is keybord orchad?', finds: ['Keyboard Orchard'] },
  { q: 'events in madrid', finds: [], without: 'madrid', closest: ['Tomorrow’s Machines'] },
  {
    q: 'on sunday, not in utrecht',
    finds: [
      'Fix One Bug',
      'Keyboard Orchard',
      'Mapmakers’ Month',
      'PAPER CIRCUITS',
      'Parts Library',
      'Pocket Synth Build-Along',
      'Review Desk',
      'Robot Sumo, Cardboard League',
      'Ship Something Small',
      'The Extremely Long Weekend in Which Everybody Builds One Very Small Thing, Finishes It, and Posts It to a Stranger',
      'Tidy Repo Club',
      'Tomorrow’s Machines',
      'Wandering Workshop',
      '🌱 Seedling Sprint',
    ],
  },
  { q: 'game jam tonight', finds: ['夜のゲームジャム'] },
  { q: 'hackathon zurich', finds: ['Night Train Hackathon'] },
  {
    q: 'is the extremely long weekend still on',
    finds: [
      'The Extremely Long Weekend in Which Everybody Builds One Very Small Thing, Finishes It, and Posts It to a Stranger',
    ],
  },
  {
    q: 'free entry this weekend in person',
    finds: ['Solder Sunday', 'Tomorrow’s Machines', 'Wandering Workshop', '夜のゲームジャム'],
  },
  { q: 'places left in lisbon', finds: ['Tomorrow’s Machines'] },
  { q: 'not cancelled in portugal', finds: ['Lantern Night', 'Tomorrow’s Machines'] },
  {
    q: 'paid in december',
    finds: [
      'Harbour Hack',
      'Mañana Makers',
      'Robot Sumo, Cardboard League',
      'Soapbox Derby for Robots',
    ],
  },
  { q: 'is tomorrows machines free for 15 year olds', finds: ['Tomorrow’s Machines'] },
  {
    q: 'near Coimbra this month',
    finds: [],
    without: 'near Coimbra',
    closest: ['Tomorrow’s Machines'],
  },
];

export const questions: readonly Question[] = [...quoted, ...inTenLanguages, ...searches];
