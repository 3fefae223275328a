import type { Question } from './question-table.ts';

/** Ten that were kept aside while the search was written, one in each language. */
export const questionsAside: readonly Question[] = [
  { q: 'Gibt es am Sonntag etwas in Utrecht?', finds: ['Solder Sunday'] },
  { q: '¿Hay algo gratis para niños este domingo?', finds: ['Solder Sunday'] },
  { q: 'Y a-t-il quelque chose à Lisbonne ce week-end ?', finds: ['Tomorrow’s Machines'] },
  {
    q: 'Eventos gratuitos para crianças neste fim de semana',
    finds: ['Solder Sunday', '夜のゲームジャム'],
  },
  { q: 'リスボンで明日何がありますか', finds: ['Tomorrow’s Machines'] },
  {
    q: '이번 주 온라인 무료 행사 알려줘',
    finds: ['Keyboard Orchard', 'Pocket Synth Build-Along', '夜のゲームジャム'],
  },
  {
    q: '明天有什么线上活动是免费的？',
    finds: ['Keyboard Orchard', 'Pocket Synth Build-Along', '夜のゲームジャム'],
  },
  { q: 'هل توجد فعاليات مجانية في طوكيو؟', finds: ['夜のゲームジャム'] },
  { q: 'Hafta sonu Utrecht’te ne yapabilirim?', finds: ['Solder Sunday'] },
  { q: 'Co robić w Lizbonie w weekend?', finds: ['Tomorrow’s Machines'] },
];
