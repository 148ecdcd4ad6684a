// Lists what is in the image besides its base: the packages that the service needs, and those that are bundled into the pages.
// Writes a bill of materials in CycloneDX and a list of the licenses: npm run sbom [-- --out FOLDER]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { billOfMaterials } from './sbom/bill-of-materials.mjs';
import { licenseTable } from './sbom/license-table.mjs';
import { bundledPackages, productionPackages } from './sbom/packages.mjs';

const repository = dirname(import.meta.dirname);
const { out } = parseArgs({ options: { out: { type: 'string', default: 'artifacts/sbom' } } }).values;

const root = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const [production, bundled] = [productionPackages(repository), bundledPackages(repository)];
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'sbom.cdx.json'), `${billOfMaterials(root, production, bundled)}\n`);
writeFileSync(join(out, 'licenses.md'), licenseTable(production, bundled));
process.stdout.write(
  `${production.length} packages of the service and ${bundled.length} of the pages: ${out}/sbom.cdx.json, licenses.md\n`,
);
