import { findUrlProblem } from './url-problem';

const HTTPS = 'must begin with https://';
const NOT_PUBLIC = 'must not lead to a private or reserved address';
const BLANKS = 'must not contain blanks or control characters';
const INVALID = 'must be a valid URL';
const CREDENTIALS = 'must not contain a user name or password';
const LONG = 'must have at most 2048 characters';

const long = (length: number) => 'https://example.com/'.padEnd(length, 'a');

describe('without allowed private hosts', () => {
  it.each([
    'https://example.com',
    'HTTPS://Example.COM/hooks?tenant=1#part',
    'https://example.com:8443/hooks',
    'https://example.com./',
    'https://açaí.example/ação',
    'https://intranet/',
    'https://localhost.example.com/',
    'https://notlocalhost/',
    'https://10.0.0.1.example.com/',
    'https://1.1.1.1/',
    'https://[2606:4700::1111]/',
    long(2048),
  ])('%s is accepted', (url) => expect(findUrlProblem(url, [])).toBeUndefined());

  it.each([
    ['', HTTPS],
    ['example.com', HTTPS],
    ['//example.com', HTTPS],
    ['http://example.com/', HTTPS],
    ['http://10.0.0.1/', HTTPS],
    ['ftp://example.com/', HTTPS],
    ['file:///etc/passwd', HTTPS],
    ['javascript:alert(1)', HTTPS],
    ['https:example.com', HTTPS],
    [' https://example.com', HTTPS],
    ['https://exa mple.com', BLANKS],
    ['https://example.com/ ', BLANKS],
    ['https://example.com/\u00a0', BLANKS],
    ['https://loc\talhost/', BLANKS],
    ['https://example.com/\n', BLANKS],
    ['https://example.com/\0', BLANKS],
    ['https://', INVALID],
    ['https://./', INVALID],
    ['https://:443/', INVALID],
    ['https://example.com:70000/', INVALID],
    ['https://example.com:x/', INVALID],
    ['https://[::1', INVALID],
    ['https://256.0.0.1/', INVALID],
    ['https://exa%00mple.com/', INVALID],
    ['https://user@example.com/', CREDENTIALS],
    ['https://user:pw@example.com/', CREDENTIALS],
    ['https://:pw@example.com/', CREDENTIALS],
    ['https://example.com@127.0.0.1/', CREDENTIALS],
    [long(2049), LONG],
    ['https://localhost/', NOT_PUBLIC],
    ['https://LOCALHOST:8443/', NOT_PUBLIC],
    ['https://localhost./', NOT_PUBLIC],
    ['https://localhost../', NOT_PUBLIC],
    ['https://api.localhost/', NOT_PUBLIC],
    ['https://ⓛocalhost/', NOT_PUBLIC],
    ['https://loc%61lhost/', NOT_PUBLIC],
    ['https://127.0.0.1/', NOT_PUBLIC],
    ['https://127.0.0.1./', NOT_PUBLIC],
    ['https://127。0。0。1/', NOT_PUBLIC],
    ['https://127.1/', NOT_PUBLIC],
    ['https://2130706433/', NOT_PUBLIC],
    ['https://0x7f000001/', NOT_PUBLIC],
    ['https://0177.0.0.1/', NOT_PUBLIC],
    ['https://0/', NOT_PUBLIC],
    ['https://10.0.0.1:8443/', NOT_PUBLIC],
    ['https://169.254.169.254/latest/meta-data', NOT_PUBLIC],
    ['https://[::1]/', NOT_PUBLIC],
    ['https://[::]/', NOT_PUBLIC],
    ['https://[::ffff:10.0.0.1]/', NOT_PUBLIC],
    ['https://[::FFFF:7f00:1]:8443/', NOT_PUBLIC],
    ['https://[64:ff9b::a00:1]/', NOT_PUBLIC],
    ['https://[fe80::1]/', NOT_PUBLIC],
    ['https://[fd00:ec2::254]/', NOT_PUBLIC],
  ])('%j %s', (url, problem) => expect(findUrlProblem(url, [])).toBe(problem));
});

describe('with allowed private hosts', () => {
  const allowed = ['hooks.internal', 'localhost', '10.0.0.7', '::1'];

  it.each([
    'http://hooks.internal/',
    'http://HOOKS.internal.:8080/x',
    'https://hooks.internal/',
    'http://localhost:3000/',
    'http://10.0.0.7/',
    'http://0xa.7/',
    'https://[::1]:8443/',
    'http://[0:0::1]/',
    'https://example.com/',
  ])('%s is accepted', (url) => expect(findUrlProblem(url, allowed)).toBeUndefined());

  it.each([
    ['http://example.com/', HTTPS],
    ['http://a.hooks.internal/', HTTPS],
    ['http://hooks.internal.example.com/', HTTPS],
    ['https://10.0.0.8/', NOT_PUBLIC],
    ['https://127.0.0.1/', NOT_PUBLIC],
    ['https://a.localhost/', NOT_PUBLIC],
    ['https://[::ffff:10.0.0.7]/', NOT_PUBLIC],
    ['http://user:pw@hooks.internal/', CREDENTIALS],
    ['ftp://hooks.internal/', HTTPS],
  ])('%s %s', (url, problem) => expect(findUrlProblem(url, allowed)).toBe(problem));
});
