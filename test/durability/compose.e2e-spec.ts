import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Service {
  environment?: Record<string, string>;
  command?: string[];
  healthcheck?: { test: string[] };
  volumes?: string[];
}

/** The file that operators start from: read as Docker Compose would, since that cannot run everywhere. */
describe('compose.yaml', () => {
  const root = join(__dirname, '..', '..');
  const text = readFileSync(join(root, 'compose.yaml'), 'utf8');
  const { services } = parse(text) as { services: Record<string, Service> };
  const coturn = services.coturn?.command ?? [];

  it('has the service and everything that it needs', () => {
    expect(Object.keys(services).toSorted()).toEqual(['coturn', 'postgres', 'redis', 'service']);
  });

  it('checks the health of every service, of ours in the image itself', () => {
    for (const name of ['postgres', 'redis', 'coturn']) {
      expect(services[name]?.healthcheck?.test[0]).toBe('CMD');
    }
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toMatch(/^HEALTHCHECK /m);
  });

  it.each(['POSTGRES_PASSWORD', 'JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET'])(
    'demands %s from the environment, and has no value for it',
    (name) => {
      const uses = [...text.matchAll(new RegExp(`\\$\\{${name}(.*?)\\}`, 'g'))];
      expect(uses.length).toBeGreaterThan(0);
      for (const [, rest] of uses) expect(rest).toMatch(/^:\?./);
    },
  );

  it('gives the service all that production demands', () => {
    const { environment = {} } = services.service ?? {};
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET']) {
      expect(environment[name]).toBeTruthy();
    }
    expect(coturn).toContain('--use-auth-secret');
    expect(coturn).toContain(`--static-auth-secret=${environment.TURN_SECRET}`);
  });

  it('hands on how files are kept and who transcribes, and has a folder that outlasts it', () => {
    const { environment = {}, volumes } = services.service ?? {};
    const handedOn = ['STORAGE_URL', 'MAX_UPLOAD_MB', 'MAX_RECORDING_MB', 'AI_BASE_URL', 'AI_API_KEY'];
    for (const name of [...handedOn, 'AI_TRANSCRIPTION_MODEL', 'AI_SUMMARY_MODEL']) {
      expect(environment[name]).toBe(`\${${name}:-}`);
    }
    expect(volumes).toEqual(['data:/app/data']);
  });

  it('bounds what public TURN credentials are good for', () => {
    expect(Number(option('user-quota'))).toBeGreaterThan(0);
    expect(Number(option('total-quota'))).toBeGreaterThan(Number(option('user-quota')));
    expect(coturn).toContain('--no-multicast-peers');
  });

  describe('lets no relay into the networks around it:', () => {
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
      ['shared by a carrier', '100.64.0.0', '100.127.255.255'],
      ['loopback', '127.0.0.0', '127.255.255.255'],
      ['link-local, with the clouds’ metadata', '169.254.0.0', '169.254.255.255'],
      ['multicast', '224.0.0.0', '239.255.255.255'],
      ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],
      ['loopback', '::1', '::1'],
      ['unspecified', '::', '::'],
      ['IPv4 inside IPv6', '::ffff:7f00:1', '::ffff:a9fe:a9fe'],
      ['IPv4 behind a translator', '64:ff9b::', '64:ff9b::ffff:ffff'],
      ['IPv4 behind 6to4', '2002:7f00:1::', '2002:c0a8:101::1'],
      ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
      ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
      ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ])('%s, %s to %s', (_what, first, last) => {
      expect([isDenied(first), isDenied(last)]).toEqual([true, true]);
    });

    it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2001:4860:4860::8888'])(
      'but to %s, which is public',
      (ip) => expect(isDenied(ip)).toBe(false),
    );
  });

  function option(name: string): string | undefined {
    return coturn.find((flag) => flag.startsWith(`--${name}=`))?.split('=')[1];
  }
});
