import { type Command, type CommandContext, flag, parseArguments, print } from '../command.ts';

export type FolderCommandOptions = Readonly<{
  /** Such as `npm run backup --`. */
  name: string;
  notes: string;
  run: (folder: string, context: CommandContext) => Promise<void>;
}>;

/** Creates a command whose only argument is the folder of a backup. */
export function createFolderCommand({ name, notes, run }: FolderCommandOptions): Command {
  const usage = `Usage: ${name} FOLDER`;
  return async (args, context) => {
    const help = { ...flag, short: 'h' } as const;
    const { values, positionals } = parseArguments(args, { help }, usage);
    if (values.help) {
      print(context.stdout, `${usage}\n\n${notes}`);
      return 0;
    }
    const [folder = ''] = positionals;
    if (folder === '' || positionals.length > 1) throw new Error(usage);
    await run(folder, context);
    return 0;
  };
}
