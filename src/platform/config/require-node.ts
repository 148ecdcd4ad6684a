const MIN_NODE_VERSION = 24;

/** Exits the process with an explanation if Node is too old for the service. */
export function requireSupportedNode(version: string): void {
  if (Number(version.split('.')[0]) >= MIN_NODE_VERSION) return;
  process.stderr.write(
    `This service requires Node ${MIN_NODE_VERSION} or newer; this is Node ${version}. ` +
      `Start it with "npm start", which uses its own Node, or install Node ${MIN_NODE_VERSION}.\n`,
  );
  process.exit(1);
}
