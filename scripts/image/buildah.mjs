// Builds the Dockerfile with Buildah, which needs no daemon, on a stand-in for its base image.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const BASE = 'localhost/node-stand-in';
const IMAGE = 'localhost/video-call-queue';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Buildah with a storage of its own in `folder`. It needs root, because namespaces of users are not allowed everywhere. */
export class Buildah {
  #flags;

  constructor(folder) {
    mkdirSync(folder, { recursive: true });
    this.#flags = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run')];
  }

  /** Whether it can be used here. Overlays are not allowed everywhere, either: then it copies files. */
  isUsable() {
    if (process.getuid?.() !== 0 || spawnSync('buildah', ['--version']).error) return false;
    if (this.#try('from', 'scratch')) return true;
    this.#flags.push('--storage-driver', 'vfs');
    return this.#try('from', 'scratch');
  }

  /**
   * @param rootfs the files of the base
   * @param context the folder of the Dockerfile
   * @returns what the image has: its files in `folder`, and its configuration as Docker shows it
   */
  build(rootfs, context, folder) {
    const base = this.#run('from', 'scratch');
    this.#run('copy', '--quiet', base, rootfs, '/');
    const variables = [
      'PATH=/usr/bin',
      `NPM_CONFIG_REGISTRY=${execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()}`,
      ...(existsSync(CERTIFICATES) ? [`NPM_CONFIG_CAFILE=${CERTIFICATES}`] : []),
    ];
    this.#run('config', ...variables.flatMap((variable) => ['--env', variable]), base);
    this.#run('commit', '--quiet', '--rm', base, BASE);
    const where = ['--isolation', 'chroot', '--network', 'host', '--pull-never', '--format', 'docker'];
    this.#run('build', ...where, '--build-arg', `NODE_IMAGE=${BASE}`, '--tag', IMAGE, context);
    const container = this.#run('from', '--pull-never', IMAGE);
    // As the user of the image, in its folder.
    this.#run(
      'run',
      '--isolation',
      'chroot',
      container,
      '--',
      'bash',
      '-c',
      'test "$(id -u)" = 1000 && touch data/probe',
    );
    cpSync(this.#run('mount', container), folder, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
    return JSON.parse(this.#run('inspect', '--type', 'image', IMAGE)).Docker.config;
  }

  /** Removes containers and images, whose mounts would keep the folder. */
  close() {
    this.#try('rm', '--all');
    this.#try('rmi', '--all', '--force');
  }

  #try(...command) {
    return spawnSync('buildah', [...this.#flags, ...command], { stdio: 'ignore' }).status === 0;
  }

  #run(...command) {
    const { status, stdout, stderr } = spawnSync('buildah', [...this.#flags, ...command], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 ** 2,
    });
    if (status !== 0)
      throw new Error(
        `buildah ${command[0]} ended with ${status}: ${stdout.slice(-4000)}${stderr.slice(-4000)}`,
      );
    return stdout.trim();
  }
}

/** The configuration of a built image in the form in which `performSteps` returns that of a Dockerfile. */
export const describeImage = (config, { image, folder }) => ({
  image,
  folder,
  workdir: join(folder, config.WorkingDir),
  env: Object.fromEntries(
    config.Env.map((variable) => variable.split(/=(.*)/s, 2)).filter(
      ([name]) => !/^(PATH|NPM_CONFIG_)/.test(name),
    ),
  ),
  declared: {
    USER: config.User,
    CMD: JSON.stringify(config.Cmd),
    HEALTHCHECK: JSON.stringify(config.Healthcheck.Test.slice(1)),
    LABEL: Object.entries(config.Labels)
      .map(([name, value]) => `${name}="${value}"`)
      .join(' '),
  },
});
