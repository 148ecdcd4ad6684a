import { Logger } from '@nestjs/common';
import type { Request } from 'express';
import { fake } from '../../../test/support/fake';
import { LateRefusals } from './late-refusals';

const requestFrom = (ip: string) =>
  fake<Request>({
    ip,
    socket: { remoteAddress: ip, destroy: () => destroyed.push(ip) },
    headers: {},
    app: { get: () => () => false },
  });

let destroyed: string[] = [];

const ONE = requestFrom('198.51.100.1');
const OTHER = requestFrom('198.51.100.2');
const LOOPBACK = requestFrom('127.0.0.1');

let refusals: LateRefusals;
let answered: number;

/** @returns how many of `count` refusals were answered at once */
function refuse(request: Request, count: number, status = 429): number {
  const before = answered;
  for (let sent = 0; sent < count; sent++) refusals.answer(request, status, () => answered++);
  return answered - before;
}

beforeEach(() => {
  jest.useFakeTimers();
  refusals = new LateRefusals();
  answered = 0;
  destroyed = [];
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('LateRefusals', () => {
  it('answers 20 refusals of an address at once, and further ones 750 ms later', () => {
    expect(refuse(ONE, 22)).toBe(20);
    jest.advanceTimersByTime(749);
    expect(answered).toBe(20);
    jest.advanceTimersByTime(1);
    expect(answered).toBe(22);
  });

  it('answers another one at once after a second', () => {
    refuse(ONE, 25);
    jest.advanceTimersByTime(1000);
    expect(refuse(ONE, 2)).toBe(1);
  });

  it('counts each address by itself', () => {
    refuse(ONE, 25);
    expect(refuse(OTHER, 1)).toBe(1);
  });

  it('delays what is too large like too many requests, and nothing else', () => {
    refuse(ONE, 25, 413);
    expect(refuse(ONE, 1, 429)).toBe(0);
    expect([200, 400, 401, 404, 422, 500, 503].map((status) => refuse(ONE, 1, status))).toEqual(
      Array.from({ length: 7 }, () => 1),
    );
  });

  it('closes the connection if the response cannot be sent', () => {
    Logger.overrideLogger([]);
    refuse(ONE, 20);
    refusals.answer(ONE, 429, () => {
      throw new Error('The page was never built.');
    });
    expect(destroyed).toEqual([]);
    jest.advanceTimersByTime(750);
    Logger.overrideLogger(['error', 'warn', 'log']);
    expect(destroyed).toEqual([ONE.ip]);
  });

  it('never delays clients on this machine', () => {
    expect(refuse(LOOPBACK, 100)).toBe(100);
  });

  it('has a bucket that is full again after 20 seconds', () => {
    refuse(ONE, 25);
    jest.advanceTimersByTime(20_000);
    expect(refuse(ONE, 25)).toBe(20);
  });
});
