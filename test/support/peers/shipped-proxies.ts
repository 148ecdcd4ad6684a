import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port';
import { REPOSITORY } from '../service/built-service';
import type { ProxyProgram } from './proxy-process';

/** The name for which the certificate of the tests is valid. */
export const SITE = 'hooks.test';

/** Has the certificate and its key. */
const CERTIFICATE = join(REPOSITORY, 'test', 'fixtures', 'hooks.test.pem');

const shipped = (path: string) => readFileSync(join(REPOSITORY, 'deploy', path), 'utf8');

/** Replaces what a shipped file must have. @throws Error if it has one of the texts no more */
export function substitute(text: string, replacements: [from: string | RegExp, to: string][]): string {
  let result = text;
  for (const [from, to] of replacements) {
    const replaced = result.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'gm'), to);
    if (replaced === result) throw new Error(`The shipped file has no ${from}.`);
    result = replaced;
  }
  return result;
}

/** Repeats each line of a server for all instances, as an operator does. */
const withInstances = (text: string, ports: number[]) =>
  text.replaceAll(/^ *server .*127\.0\.0\.1:3000.*$/gm, (line) =>
    ports
      .map((port, index) => line.replace(':3000', `:${port}`).replaceAll(/(?<=server |\/)a\b/g, `a${index}`))
      .join('\n'),
  );

/** nginx includes a site in its own configuration, as Debian's does. */
export const nginxMain = (folder: string, outsideHttp = '') => `
pid ${folder}/pid;
error_log stderr;
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
${outsideHttp}
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'scgi', 'uwsgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  include ${join(folder, 'site.conf')};
}
`;

/** The shipped site of nginx with the ports, the name and the certificate of a test. */
export const nginxSite = async (port: number, instances: number[]): Promise<string> =>
  withInstances(
    substitute(shipped('nginx/video-call-queue.conf'), [
      [/^ *listen \[::\].*\n/, ''],
      ['listen 80;', `listen 127.0.0.1:${await freePort()};`],
      ['listen 443 ', `listen 127.0.0.1:${port} `],
      ['calls.example.com;', `${SITE};`],
      [/\/etc\/ssl\/calls\.example\.com\/\w+\.pem/, CERTIFICATE],
    ]),
    instances,
  );

const caddyfile = async (port: number, instances: number[]): Promise<string> =>
  substitute(shipped('caddy/Caddyfile'), [
    [/^\temail .*$/, `\tadmin off\n\tauto_https disable_redirects\n\thttp_port ${await freePort()}`],
    [
      /^calls\.example\.com \{/,
      `https://${SITE}:${port} {\n\tbind 127.0.0.1\n\ttls ${CERTIFICATE} ${CERTIFICATE}`,
    ],
    ['to 127.0.0.1:3000', `to ${instances.map((instance) => `127.0.0.1:${instance}`).join(' ')}`],
  ]);

/** On a busy machine the answer to a check takes longer than the interval, which would be its limit. */
const PATIENT_CHECKS: [string, string] = ['timeout connect 2s', 'timeout connect 2s\n  timeout check 30s'];

const haproxyConfiguration = async (port: number, instances: number[]): Promise<string> =>
  withInstances(
    substitute(shipped('haproxy/haproxy.cfg'), [
      ['bind :80', `bind 127.0.0.1:${await freePort()}`],
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['/etc/ssl/calls.example.com.pem', CERTIFICATE],
      PATIENT_CHECKS,
    ]),
    instances,
  );

/**
 * The shipped configuration of HAProxy without TLS, on the port `PORT`.
 * @param instances the ports of the instances of the service
 */
export const haproxyWithoutTls = (instances: number[]): string =>
  withInstances(
    substitute(shipped('haproxy/haproxy.cfg'), [
      [/^ *bind :80\n/, ''],
      [/bind :443 .*$/, 'bind 127.0.0.1:PORT'],
      [/^ *http-request redirect .*\n/, ''],
      PATIENT_CHECKS,
    ]),
    instances,
  );

/**
 * The proxies whose configuration is shipped in deploy/. Each file is used as it is, but for ports, names and certificates.
 * @param instances returns the ports of the instances of the service
 */
export const shippedProxies = (instances: () => number[]): ProxyProgram[] => [
  {
    program: 'caddy',
    files: async (port) => ({ Caddyfile: await caddyfile(port, instances()) }),
    flags: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  },
  {
    program: 'nginx',
    files: async (port, folder) => ({
      'nginx.conf': nginxMain(folder),
      'site.conf': await nginxSite(port, instances()),
    }),
    flags: (file, folder) => ['-c', file, '-p', folder],
  },
  {
    program: 'haproxy',
    files: async (port) => ({ 'haproxy.cfg': await haproxyConfiguration(port, instances()) }),
    flags: (file) => ['-db', '-f', file],
  },
];
