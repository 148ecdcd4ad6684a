import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { itIsTranslated } from '../../web/shared/texts/translations.fixtures';

const CONSOLE = join(__dirname, '../../web/console');

/** Units have the same symbols in all three languages. */
const SAME_SENTENCES: Record<string, string[]> = { 'features/calls/texts': ['.wait.hourAndMinutes'] };

// One folder for each part of the console.
describe.each(globSync('**/texts/en.ts', { cwd: CONSOLE }).map((file) => dirname(file)))('%s', (folder) => {
  const load = (language: string) =>
    (require(join(CONSOLE, folder, `${language}.ts`)) as { default: object }).default;

  describe.each(['pt', 'es'])('%s', (language) =>
    itIsTranslated(load(language), load('en'), SAME_SENTENCES[folder]),
  );
});
