// Describes packages in CycloneDX, https://cyclonedx.org.
import cyclonedx from '@cyclonedx/cyclonedx-library';
import parseLicense from 'spdx-expression-parse';

const { Contrib, Enums, Models, Serialize, Spec } = cyclonedx;

/** Marks packages that are in the image as parts of the pages, perhaps besides a folder of their own. */
export const BUNDLED = 'video-call-queue:bundled';

const licenses = new Contrib.License.Factories.LicenseFactory(parseLicense);

/**
 * @param root the manifest of this project
 * @param production the packages of the service, as productionPackages returns them
 * @param bundled those in the pages
 * @returns the document as JSON. It is the same for the same packages: it has neither a time nor a random number
 */
export function billOfMaterials(root, production, bundled) {
  const bom = new Models.Bom();
  const application = component(Enums.ComponentType.Application, root);
  bom.metadata.component = application;
  // A package can be in several folders.
  const byAddress = new Map();
  const componentOf = (entry) => {
    const address = addressOf(entry);
    if (!byAddress.has(address)) byAddress.set(address, component(Enums.ComponentType.Library, entry));
    return byAddress.get(address);
  };
  const byPath = new Map(production.map((entry) => [entry.path, componentOf(entry)]));
  for (const { path, name, dependsOn } of production) {
    for (const other of dependsOn) byPath.get(path).dependencies.add(byPath.get(other).bomRef);
    if (path === `node_modules/${name}` && name in root.dependencies)
      application.dependencies.add(byPath.get(path).bomRef);
  }
  for (const entry of bundled) {
    componentOf(entry).properties.add(new Models.Property(BUNDLED, 'true'));
    application.dependencies.add(componentOf(entry).bomRef);
  }
  for (const described of byAddress.values()) bom.components.add(described);
  const normalizers = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(normalizers).serialize(bom, { sortLists: true, space: 2 });
}

/** The address of a package, https://github.com/package-url/purl-spec */
const addressOf = ({ name, version }) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

function component(type, { name, version, license, description, integrity }) {
  const [base, group] = name.split('/').toReversed();
  const purl = addressOf({ name, version });
  const described = new Models.Component(type, base, { group, version, description, purl, bomRef: purl });
  if (license) described.licenses.add(licenses.makeFromString(license));
  const [, sha512] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
  if (sha512)
    described.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(sha512, 'base64').toString('hex'));
  return described;
}
