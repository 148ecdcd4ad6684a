import { spawnSync } from 'node:child_process';

/** Whether Prometheus's tool is installed. Where CI=true it must be. */
export function hasPromtool(): boolean {
  const isInstalled = spawnSync('promtool', ['--version']).error === undefined;
  if (!isInstalled && process.env.CI === 'true') throw new Error('There is no promtool.');
  if (!isInstalled) process.stderr.write('NOTICE: there is no promtool, so its checks did not run.\n');
  return isInstalled;
}

/** Runs promtool. @returns its output. @throws Error with what it found */
export function promtool(parameters: string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('promtool', parameters, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`promtool ends with ${status}: ${stdout}${stderr}`);
  return stdout + stderr;
}
