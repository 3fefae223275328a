import { askEverywhere } from './ask-everywhere.ts';
import { questions } from './question-table.ts';

const answered = [
  'for 16-year-olds',
  'for 16 year olds in zurich',
  'free entry this weekend in person',
  'game jam tonight',
  'hackathon zurich',
  'is tomorrows machines free for 15 year olds',
  'kids',
  'kids in edinburgh',
  'lantern club online',
  'places left in lisbon',
  'what does the solder society do?',
  'what is next in the cardboard league',
  'what is on in things that glow?',
  'when is moving parts',
];

// One is answered by the tool alone.
const others = questions.filter(({ q }) => q !== 'which is closest to brussels?');
askEverywhere(others, answered);
