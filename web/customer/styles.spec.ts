import { globSync, readFileSync } from 'node:fs';

/** Sides and sizes of the screen instead of those of the writing. */
const PHYSICAL =
  /^\s*((?:(?:min|max)-)?(?:width|height)|(?:(?:margin|padding|border|scroll-margin|scroll-padding)-)?(?:left|right|top|bottom)(?:-\w+)?|text-align|float)\s*:\s*(.*)$/gm;
/** For `text-align` and `float`. */
const LOGICAL_VALUE = /^(start|end|center|inline-start|inline-end)\b/;

it('the styles of the page use logical properties, so that they fit languages that are written from right to left', () => {
  const files = globSync('**/*.css', { cwd: __dirname });
  expect(files.length).toBeGreaterThan(10);
  const physical = files.flatMap((file) =>
    [...readFileSync(`${__dirname}/${file}`, 'utf8').matchAll(PHYSICAL)]
      .filter(([, , value = '']) => !LOGICAL_VALUE.test(value))
      .map(([line]) => `${file}: ${line.trim()}`),
  );
  expect(physical).toEqual([]);
});
