const MIN_NODE_VERSION = 24;

/** Ends the process with a clear sentence when Node is too old for the service. */
export function requireSupportedNode(version: string): void {
  if (Number(version.split('.')[0]) >= MIN_NODE_VERSION) return;
  process.stderr.write(
    `This service needs Node ${MIN_NODE_VERSION} or newer; this is Node ${version}. ` +
      `"npm start" brings the right one along; or install Node ${MIN_NODE_VERSION} and start again.\n`,
  );
  process.exit(1);
}
