// The subset of Docker that this project's Dockerfile needs. An unknown instruction is an error, so that a new kind of
// step is never skipped silently.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, join, matchesGlob, sep } from 'node:path';

/** Instructions that describe the image but do nothing during the build. */
const DECLARATIONS = ['USER', 'EXPOSE', 'CMD', 'HEALTHCHECK', 'LABEL'];

/** Returns the instructions of the file in order: [{ name: 'RUN', rest: 'npm ci' }, …]. */
export function parseDockerfile(text) {
  return text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, rest] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      if (!name) throw new Error(`Not understood in the Dockerfile: ${line}`);
      return { name, rest };
    });
}

/** Returns the files that .dockerignore includes: the last pattern that matches a file or its folder decides. */
export function contextFiles(folder, ignoreText) {
  const rules = ignoreText
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), glob: line.replace(/^!/, '').replace(/\/$/, '') }));
  const isKept = (file) => {
    const parts = file.split(sep);
    const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    return rules.findLast(({ glob }) => paths.some((path) => matchesGlob(path, glob)))?.keeps ?? true;
  };
  const skipped = new Set(['node_modules', '.git', 'dist', '.data']);
  return globSync('{.*,*,**/*}', { cwd: folder, exclude: (name) => skipped.has(name) })
    .filter((file) => statSync(join(folder, file)).isFile())
    .filter(isKept);
}

/**
 * Runs the steps in `root`, with one folder per stage and `env` as the environment of RUN. ARGs have their defaults.
 * @returns the last stage: { folder, workdir, env, declared: { USER: 'node', CMD: '[…]', … } }
 */
export function performSteps(steps, { root, context, files, env, log }) {
  const stages = [];
  const args = {};
  for (const { name, rest: written } of steps) {
    const stage = stages.at(-1);
    const rest = written.replaceAll(/\$\{(\w+)\}/g, (reference, arg) => args[arg] ?? reference);
    if (!['FROM', 'ARG'].includes(name) && !DECLARATIONS.includes(name)) log(`${name} ${rest}`);
    if (name === 'ARG') Object.assign(args, parseEnv(rest));
    else if (name === 'FROM') stages.push(newStage(root, rest, stages.length));
    else if (name === 'WORKDIR') enter(stage, rest);
    else if (name === 'ENV') Object.assign(stage.env, parseEnv(rest));
    else if (name === 'COPY') copy(stage, rest, { stages, context, files });
    else if (name === 'RUN') run(stage, rest, env);
    else if (DECLARATIONS.includes(name)) stage.declared[name] = rest;
    else throw new Error(`Not understood in the Dockerfile: ${name} ${rest}`);
  }
  return stages.at(-1);
}

/** Returns the command of a CMD, or of a HEALTHCHECK after its options, which is a JSON array. */
export function commandOf(declaration) {
  return JSON.parse(declaration.slice(declaration.indexOf('[')));
}

function newStage(root, from, index) {
  const [image, , name = `stage-${index}`] = from.split(/\s+/);
  const folder = join(root, name);
  mkdirSync(folder);
  return { image, name, folder, workdir: folder, env: {}, declared: {} };
}

function enter(stage, path) {
  stage.workdir = join(stage.folder, path);
  mkdirSync(stage.workdir, { recursive: true });
}

function parseEnv(rest) {
  return Object.fromEntries(rest.split(/\s+/).map((pair) => pair.split('=', 2)));
}

function copy(stage, rest, { stages, context, files }) {
  const words = rest.split(/\s+/);
  const from = words[0].startsWith('--from=') ? words.shift().slice('--from='.length) : undefined;
  const target = words.pop();
  for (const source of words) {
    if (from !== undefined) {
      const origin = stages.find(({ name }) => name === from).folder;
      const place = join(stage.workdir, target, target.endsWith('/') ? basename(source) : '');
      cpSync(join(origin, source), place, { recursive: true, verbatimSymlinks: true });
      continue;
    }
    const found = files.filter((file) => file === source || file.startsWith(`${source}/`));
    if (found.length === 0) throw new Error(`COPY ${source}: .dockerignore lets nothing of it through`);
    for (const file of found) {
      const inside = file === source ? basename(file) : file.slice(source.length + 1);
      const place = join(stage.workdir, target, inside);
      mkdirSync(dirname(place), { recursive: true });
      cpSync(join(context, file), place);
    }
  }
}

function run(stage, command, env) {
  const options = { cwd: stage.workdir, env: { ...env, ...stage.env }, stdio: 'inherit' };
  const { status } = spawnSync('/bin/sh', ['-c', command], options);
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}`);
}
