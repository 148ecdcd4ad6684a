import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './service/built-service';

/**
 * The script that a page of the documentation has below a heading, so that a spec runs what operators read.
 * @param position of the script among those of its language below the heading
 * @throws Error if there is none
 */
export function documentedScript(
  page: string,
  heading: string,
  position = 0,
  language: 'sh' | 'sql' | 'ini' | 'haproxy' = 'sh',
): string {
  const content = readFileSync(join(REPOSITORY, 'docs', page), 'utf8');
  const section = content.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  // A script of a list is indented.
  const scripts = [...section.matchAll(new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'))];
  const script = scripts[position]?.[1];
  if (script === undefined)
    throw new Error(`${page} has no ${language} script ${position} below "${heading}".`);
  return script;
}
