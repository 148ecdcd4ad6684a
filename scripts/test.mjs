// npm test: the tests, and beside them the checks of the code, at low priority: tests wait for PostgreSQL and for deadlines,
// and the checks use what processor time that leaves.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';

const start = (name, output) =>
  spawn(process.execPath, ['--run', name], { stdio: ['ignore', output, output] });
const exitOf = (child) =>
  new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));

const tests = exitOf(start('test:all', 'inherit'));
// Processes that are started from now on have it, too.
setPriority(constants.priority.PRIORITY_LOW);
const checks = start('check', 'pipe');
// Printed at once, so that lines of the tests are not between those of the checks.
const output = Promise.all([buffer(checks.stdout), buffer(checks.stderr)]);
const checked = exitOf(checks).then(async (code) => {
  process.stdout.write(Buffer.concat(await output));
  return code;
});
const codes = await Promise.all([tests, checked]);
if (codes[1] !== 0) console.log('The checks FAILED: see above.');
process.exit(codes.every((code) => code === 0) ? 0 : 1);
