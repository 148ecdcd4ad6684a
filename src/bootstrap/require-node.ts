/** As `engines` in package.json. */
const MIN_NODE = { major: 24, minor: 9 };

/** @param version as in `process.versions.node`: major.minor.patch */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > MIN_NODE.major || (major === MIN_NODE.major && minor >= MIN_NODE.minor);
}

/** Exits the process with an explanation if Node is too old for the service. */
export function requireSupportedNode(version: string): void {
  if (isSupportedNode(version)) return;
  const required = `Node ${MIN_NODE.major}.${MIN_NODE.minor}`;
  process.stderr.write(
    `This service requires ${required} or newer; this is Node ${version}. ` +
      `Start it with "npm start", which uses its own Node, or install ${required}.\n`,
  );
  process.exit(1);
}
