// Writes docs/configuration.md from the compiled table of variables. Node strips the types of the imported script
// itself.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { configurationDocument } from './configuration-document.ts';

const require = createRequire(import.meta.url);
const { VARIABLES } = require('../dist/src/platform/config/variables.js');
const { FILE_VARIABLES } = require('../dist/src/platform/config/secret-files.js');

writeFileSync(
  new URL('../docs/configuration.md', import.meta.url),
  configurationDocument(VARIABLES, FILE_VARIABLES),
);
