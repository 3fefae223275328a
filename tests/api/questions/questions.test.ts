import { askEverywhere } from './ask-everywhere.ts';
import { questions } from './question-table.ts';

askEverywhere(questions);
