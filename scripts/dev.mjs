// npm run dev: runs the service from its sources and builds the pages, both again after every change.
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const startedAt = Date.now();
const isServiceBuilt = () =>
  (statSync('dist/src/main.js', { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedAt;

const processes = [];
const run = (command, ...args) => {
  const child = spawn(command, args, { stdio: 'inherit' });
  processes.push(child);
  child.once('exit', stop);
};
function stop() {
  for (const child of processes) child.kill();
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);

run('nest', 'start', '--watch');

// Nest empties dist when it starts.
while (!isServiceBuilt() && processes[0].exitCode === null) await delay(200);
if (processes[0].exitCode === null) run(process.execPath, 'scripts/build-web.mjs', '--watch');
