// The memory of a process during an operation.
import { readFileSync } from 'node:fs';

/** The resident memory of the process, in MiB. */
export function residentMib(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

/** @returns the resident memory before `work` and its maximum growth during it, in MiB, sampled fifty times a second */
export async function growthMib(pid, work) {
  const before = residentMib(pid);
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, residentMib(pid))), 20);
  await work().finally(() => clearInterval(timer));
  return { before, growth: Math.max(peak, residentMib(pid)) - before };
}
