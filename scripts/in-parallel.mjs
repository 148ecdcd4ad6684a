// Runs the package's scripts with the given names at the same time, and fails if one of them does. The output of each is
// printed when it ends, so that lines of two scripts do not mix.
import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';

async function run(name) {
  const start = performance.now();
  // With colours only where this process would have them.
  const env = process.stdout.isTTY ? { FORCE_COLOR: '1', ...process.env } : process.env;
  const child = spawn(process.execPath, ['--run', name], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  const [code, ...output] = await Promise.all([ended, buffer(child.stdout), buffer(child.stderr)]);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(Buffer.concat(output));
  console.log(`${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  return code === 0;
}

const results = await Promise.all(process.argv.slice(2).map(run));
process.exit(results.every(Boolean) ? 0 : 1);
