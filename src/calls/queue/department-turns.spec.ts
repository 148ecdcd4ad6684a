import { PoolAdmission } from '../../platform/database/connections/pool-admission';
import { ConnectionLimitError } from '../../platform/database/connections/semaphore';
import { DepartmentLocked } from './department-locked';
import { DepartmentTurns } from './department-turns';

const turnsWithin = (ms: number): DepartmentTurns => {
  const admission = new PoolAdmission({ databasePoolSize: 5 });
  jest.replaceProperty(admission, 'publicWaitMs', ms);
  return new DepartmentTurns(admission);
};

describe('DepartmentTurns', () => {
  it('refuses at once what a department cannot serve in time, and nothing of another one', async () => {
    const turns = turnsWithin(60_000);
    const end = Promise.withResolvers<void>();
    const joins = Array.from({ length: 1000 }, () => turns.take('town-hall', () => end.promise));
    await expect(turns.take('town-hall', () => end.promise)).rejects.toBeInstanceOf(ConnectionLimitError);
    await turns.take('bank', async () => undefined);
    end.resolve();
    await Promise.all(joins);
    await turns.take('town-hall', async () => undefined);
  });

  it('tries again while the department is locked, and nothing else', async () => {
    const turns = turnsWithin(60_000);
    const errors = [new DepartmentLocked('locked'), new DepartmentLocked('locked')];
    const join = jest.fn(async () => {
      const error = errors.shift();
      if (error) throw error;
    });
    await turns.take('town-hall', join);
    expect(join).toHaveBeenCalledTimes(3);
    const other = jest.fn(() => Promise.reject(new Error('full')));
    await expect(turns.take('town-hall', other)).rejects.toThrow('full');
    expect(other).toHaveBeenCalledTimes(1);
  });

  it('gives up when the time is over', async () => {
    const locked = jest.fn(() => Promise.reject(new DepartmentLocked('locked')));
    await expect(turnsWithin(5).take('town-hall', locked)).rejects.toBeInstanceOf(DepartmentLocked);
    expect(locked).toHaveBeenCalledTimes(1);
  });
});
