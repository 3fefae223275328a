import { type JsonObject, toText, withoutNulls } from '#lib/http/json-value.ts';
import { type Path, unsupportedField } from '../json/check.ts';

/**
 * A tool that Anthropic defines and the client runs, with the documented schema, which Anthropic's models know without
 * it. Any other tool is returned as it is. @throws HttpError 400 for the use of a computer
 */
export function withSchema(tool: JsonObject, path: Path): JsonObject {
  const type = toText(tool.type);
  if (tool.input_schema !== undefined) return tool;
  if (type.startsWith('bash_')) return { ...bash, ...withoutNulls(tool) };
  if (type.startsWith('memory_')) return { ...memory, ...withoutNulls(tool) };
  if (type.startsWith('text_editor_')) return { ...toEditor(type), ...withoutNulls(tool) };
  if (!type.startsWith('computer_')) return tool;
  throw unsupportedField(
    path,
    `The model’s server does not know tools of the type \`${type.slice(0, 100)}\`: leave the tool out, or define it yourself with an \`input_schema\`.`,
  );
}

const text = (description: string) => ({ type: 'string', description });
const viewRange = {
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
  description: 'For `view` of a file: the first and the last line, from 1; -1 is the last line.',
};
const insertLine = {
  type: 'integer',
  description: 'For `insert`: the line after which to insert; 0 is the beginning of the file.',
};

const bash = {
  name: 'bash',
  description:
    'Runs a command in a bash session that lasts: directories, variables and files stay as they are between calls.',
  input_schema: {
    type: 'object',
    properties: {
      command: text('The command to run. Required unless `restart` is true.'),
      restart: { type: 'boolean', description: 'True starts the session anew.' },
    },
  },
};

/** The first versions could undo, and named the inserted text as the replaced one. */
const oldEditor = /^text_editor_(?:20241022|20250124)$/;

function toEditor(type: string): JsonObject {
  const isOld = oldEditor.test(type);
  const commands = ['view', 'create', 'str_replace', 'insert'];
  return {
    name: isOld ? 'str_replace_editor' : 'str_replace_based_edit_tool',
    description: 'Views, creates and edits text files.',
    input_schema: {
      type: 'object',
      properties: {
        command: { type: 'string', enum: isOld ? [...commands, 'undo_edit'] : commands },
        path: text('The file; for `view` also a directory.'),
        view_range: viewRange,
        file_text: text('For `create`: the content of the new file.'),
        old_str: text('For `str_replace`: the text to replace, exactly as it stands there, once.'),
        new_str: text(`For \`str_replace\`${isOld ? ' and `insert`' : ''}: the new text.`),
        insert_line: insertLine,
        ...(!isOld && { insert_text: text('For `insert`: the text to insert.') }),
      },
      required: ['command', 'path'],
    },
  };
}

const memory = {
  name: 'memory',
  description:
    'Keeps notes in files under /memories, which outlast the conversation. View the directory before starting a task.',
  input_schema: {
    type: 'object',
    properties: {
      command: {
        type: 'string',
        enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'],
      },
      path: text('The file or directory, such as /memories/notes.md; for all but `rename`.'),
      view_range: viewRange,
      file_text: text('For `create`: the content of the file.'),
      old_str: text('For `str_replace`: the text to replace, exactly as it stands there, once.'),
      new_str: text('For `str_replace`: the new text.'),
      insert_line: insertLine,
      insert_text: text('For `insert`: the text to insert.'),
      old_path: text('For `rename`: the path until now.'),
      new_path: text('For `rename`: the new path.'),
    },
    required: ['command'],
  },
};
