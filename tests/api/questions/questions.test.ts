import { askEverywhere } from './ask-everywhere.ts';
import { questions } from './question-table.ts';
import { questionsAside } from './questions-aside.ts';

askEverywhere([...questions, ...questionsAside]);
