import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Service {
  environment?: Record<string, string>;
  command?: string[];
  healthcheck?: { test: string[] };
  volumes?: string[];
  ports?: string[];
  restart?: string;
  depends_on?: Record<string, { condition: string }>;
}

/** Parses the file instead of running Docker Compose, which is not available everywhere. */
describe('compose.yaml', () => {
  const root = join(__dirname, '..', '..');
  const text = readFileSync(join(root, 'compose.yaml'), 'utf8');
  const { services } = parse(text) as { services: Record<string, Service> };
  const coturn = services.coturn?.command ?? [];

  it('contains the service and its dependencies', () => {
    expect(Object.keys(services).toSorted()).toEqual(['coturn', 'migrate', 'postgres', 'redis', 'service']);
  });

  it('migrates the database once before the service starts, without its other secrets', () => {
    const { migrate, service } = services;
    expect(migrate).toMatchObject({
      command: ['node', 'dist/src/cli.js', 'migrate'],
      restart: 'no',
      depends_on: { postgres: { condition: 'service_healthy' } },
    });
    expect(migrate?.environment).toEqual({ DATABASE_URL: service?.environment?.DATABASE_URL });
    expect(service?.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' });
  });

  it('has the same counterpart for Kubernetes: a Job that only knows the database', () => {
    const { kind, spec } = parse(readFileSync(join(root, 'deploy/kubernetes/migrate-job.yaml'), 'utf8'));
    const { containers, restartPolicy } = spec.template.spec;
    expect([kind, restartPolicy, containers.length]).toEqual(['Job', 'Never', 1]);
    expect(containers[0].command).toEqual(services.migrate?.command);
    expect(containers[0].env.map(({ name }: { name: string }) => name)).toEqual(['DATABASE_URL']);
  });

  it('defines a health check for every service, for ours in the Dockerfile', () => {
    for (const name of ['postgres', 'redis', 'coturn']) {
      expect(services[name]?.healthcheck?.test[0]).toBe('CMD');
    }
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toMatch(/^HEALTHCHECK /m);
  });

  it.each(['POSTGRES_PASSWORD', 'JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET'])(
    'requires %s from the environment without a default',
    (name) => {
      const uses = [...text.matchAll(new RegExp(`\\$\\{${name}(.*?)\\}`, 'g'))];
      expect(uses.length).toBeGreaterThan(0);
      for (const [, rest] of uses) expect(rest).toMatch(/^:\?./);
    },
  );

  it('sets every variable that production requires', () => {
    const { environment = {} } = services.service ?? {};
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET']) {
      expect(environment[name]).toBeTruthy();
    }
    expect(coturn).toContain('--use-auth-secret');
    expect(coturn).toContain(`--static-auth-secret=${environment.TURN_SECRET}`);
  });

  it('passes on the limits that operators change, empty by default', () => {
    const { environment = {} } = services.service ?? {};
    const limits = [
      'DATABASE_POOL_SIZE',
      'API_RATE_LIMIT',
      'PUBLIC_RATE_LIMIT',
      'SOCKET_RATE_LIMIT',
      'QUEUE_ABSENCE_SECONDS',
      'AUTH_RATE_LIMIT',
      'AUTH_ADDRESS_RATE_LIMIT',
      'QUEUE_MAX_PER_ADDRESS',
    ];
    for (const name of [...limits, 'TURN_OPEN', 'SIGNUP_CONFIRM_EMAIL', 'TRUST_PROXY']) {
      expect(environment[name]).toBe(`\${${name}:-}`);
    }
  });

  it('publishes no port beyond this machine by default', () => {
    expect(services.service?.ports).toEqual(['${PUBLISH_ADDRESS:-127.0.0.1}:${PORT:-3000}:3000']);
    for (const name of ['postgres', 'redis']) expect(services[name]?.ports).toBeUndefined();
  });

  it('passes on the settings of storage and transcription and mounts a persistent volume', () => {
    const { environment = {}, volumes } = services.service ?? {};
    const passedOn = ['STORAGE_URL', 'MAX_UPLOAD_MB', 'MAX_RECORDING_MB', 'AI_BASE_URL', 'AI_API_KEY'];
    for (const name of [...passedOn, 'AI_TRANSCRIPTION_MODEL', 'AI_SUMMARY_MODEL']) {
      expect(environment[name]).toBe(`\${${name}:-}`);
    }
    expect(volumes).toEqual(['data:/app/data']);
  });

  it('limits the use of public TURN credentials', () => {
    const [calls, transports, interfaces, restarts] = [5, 2, 2, 2];
    expect(Number(option('user-quota'))).toBe(calls * transports * interfaces * restarts);
    expect(Number(option('total-quota'))).toBe(800);
    const relayPorts = Number(option('max-port')) - Number(option('min-port')) + 1;
    expect(relayPorts).toBeGreaterThanOrEqual(Number(option('total-quota')));
    expect(coturn).toContain('--no-multicast-peers');
  });

  describe('a TURN relay', () => {
    const denied = new BlockList();
    for (const flag of coturn.filter((flag) => flag.startsWith('--denied-peer-ip='))) {
      const [first = '', last = ''] = flag.slice('--denied-peer-ip='.length).split('-');
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

  function option(name: string): string | undefined {
    return coturn.find((flag) => flag.startsWith(`--${name}=`))?.split('=')[1];
  }
});
