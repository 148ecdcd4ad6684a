const OLDEST = 24;

/** Ends the process with a clear sentence when Node is too old for the service. */
export function requireSupportedNode(version: string): void {
  if (Number(version.split('.')[0]) >= OLDEST) return;
  process.stderr.write(
    `This service needs Node ${OLDEST} or newer; this is Node ${version}. ` +
      `"npm start" brings the right one along; or install Node ${OLDEST} and start again.\n`,
  );
  process.exit(1);
}
