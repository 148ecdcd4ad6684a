import { Logger, type PinoLogger } from 'nestjs-pino';
import { fake } from '../../../test/support/fake';
import { DatabaseBusyError } from '../database/connections/pool-admission';
import { ClientLeftError, ConnectionLimitError } from '../database/connections/semaphore';
import { Metrics } from '../metrics/metrics';
import { ServiceLogger } from './service-logger';

const lockTimeout = () =>
  Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

describe('ServiceLogger', () => {
  const pino = { error: jest.fn(), warn: jest.fn() };
  const metrics = new Metrics();
  const logger: Logger = new ServiceLogger(fake<PinoLogger>(pino), {}, metrics);

  beforeEach(() => {
    jest.useFakeTimers();
    jest.clearAllMocks();
  });
  afterEach(() => jest.useRealTimers());

  it('counts what found the database busy, and warns once a minute', async () => {
    for (let n = 0; n < 100; n++) logger.error(new DatabaseBusyError('The service is busy.'), 'Socket');
    for (let n = 0; n < 53; n++)
      logger.error(lockTimeout(), 'A connection could not be established', 'LiveSockets');
    logger.error(new ConnectionLimitError('locked', { cause: lockTimeout() }), 'Errors');
    logger.warn(lockTimeout(), 'Sockets are handled one at a time', 'CustomerLeases');
    logger.error(new ConnectionLimitError('Too many pages are being opened.'), 'CustomerPageFilter');
    logger.error(new ClientLeftError('The client has left.'), 'Errors');
    jest.advanceTimersByTime(60_000);
    expect(pino.error).not.toHaveBeenCalled();
    expect(pino.warn.mock.calls).toEqual([
      [
        {
          context: 'Busy',
          counts: {
            'connection Socket': 100,
            'lock LiveSockets': 53,
            'lock Errors': 1,
            'lock CustomerLeases': 1,
            'limit CustomerPageFilter': 1,
          },
        },
        expect.stringContaining('busy'),
      ],
    ]);
    jest.advanceTimersByTime(600_000);
    expect(pino.warn).toHaveBeenCalledTimes(1);
    const text = await metrics.registry.metrics();
    expect(text).toContain('vcq_busy_total{reason="connection"} 100');
    expect(text).toContain('vcq_busy_total{reason="lock"} 55');
    expect(text).not.toContain('limit');
  });

  it('logs every other error', () => {
    logger.error(Object.assign(new Error('deadlock'), { code: '40P01' }), 'Errors');
    logger.error('A text', 'Errors');
    expect(pino.error).toHaveBeenCalledTimes(2);
  });

  it('warns before the service ends', () => {
    logger.error(lockTimeout(), 'Errors');
    (logger as ServiceLogger).onApplicationShutdown();
    expect(pino.warn).toHaveBeenCalledTimes(1);
  });
});
