import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/platform/database/database';
import { Jobs } from '../../src/platform/jobs/jobs';
import { StoredObjectsService } from '../../src/platform/storage/stored-objects.service';
import { raceRounds } from '../support/race-rounds';
import { StorageFolder } from '../support/service/storage-folder';
import { StoredObjectsScene } from '../support/database/stored-objects-scene';
import { startTestApp } from '../support/test-app';
import { until } from '../support/until';

/** Within this time after its lease was shortened an object begins to be kept, on a busy machine, too. */
const KEEP_BEGINS_MS = 3000;

let scene: StoredObjectsScene;

beforeAll(async () => {
  scene = await StoredObjectsScene.start(new StorageFolder());
});

afterAll(() => scene.stop());

describe('the sweep of stored objects', () => {
  it('deletes only objects whose lease has ended and files of killed processes', async () => {
    const [late, leased, kept] = await Promise.all([scene.write(), scene.write(), scene.write()]);
    await scene.keep(kept.key);
    await scene.endLeases([late.key]);
    const killed = await scene.simulateKilledWrite();
    writeFileSync(join(scene.folder.path, 'not-ours'), 'x');
    await scene.sweepUntilGone([late.key, killed]);
    expect(scene.folder.files().sort()).toEqual([leased.key, kept.key, 'not-ours'].sort());
    await scene.expectLeased(leased.key);
    await scene.expectKept(kept.key);
  });

  it('runs as a job every minute', async () => {
    const schedules = await scene.test.db.query(
      `SELECT cron FROM pgboss.schedule WHERE name = 'sweep-stored-objects'`,
    );
    expect(schedules.rows).toEqual([{ cron: '* * * * *' }]);
    const { key } = await scene.write();
    await scene.endLeases([key]);
    const jobs = scene.test.get(Jobs);
    await scene.test.get(Database).system((tx) => jobs.enqueue(tx, 'sweep-stored-objects', {}));
    await until(async () => !(await scene.rowOf(key)));
    await scene.expectGone(key);
  });

  it('deletes the other objects and ends when many cannot be deleted', async () => {
    const undeletable = await scene.writeMany(25);
    const others = await scene.writeMany(45);
    const restorers = undeletable.map((key) => scene.makeUndeletable(key));
    await scene.endLeases(undeletable, -60_000);
    await scene.endLeases(others);
    // The first sweep finds only undeletable objects.
    await scene.objects.sweep();
    await scene.objects.sweep();
    for (const key of others) await scene.expectGone(key);
    for (const key of undeletable) {
      expect(await scene.rowOf(key)).toMatchObject({ kept: false });
      await expect(scene.keep(key)).rejects.toMatchObject({ status: 503 });
    }
    for (const makeDeletable of restorers) makeDeletable();
    await scene.sweepUntilGone(undeletable);
  });

  it('neither waits for nor deletes an object that is being kept when its lease ends', async () => {
    const [kept, rolledBack, other] = await scene.writeMany(3);
    const sweepOnceOver = async (lasting: string, sweptMeanwhile: string) => {
      await until(async () => {
        const { rows } = await scene.test.db.query(
          'SELECT FROM stored_objects WHERE key = $1 AND discard_at <= now()',
          [lasting],
        );
        return rows.length > 0;
      });
      await scene.sweepUntilGone([sweptMeanwhile]);
    };
    await scene.endLeases([kept, other], KEEP_BEGINS_MS);
    await scene.keep(kept, () => sweepOnceOver(kept, other));
    await scene.expectKept(kept);

    const [another] = await scene.writeMany(1);
    await scene.endLeases([rolledBack, another], KEEP_BEGINS_MS);
    const failing = scene.keep(rolledBack, async () => {
      await sweepOnceOver(rolledBack, another);
      expect(scene.isStored(rolledBack)).toBe(true);
      throw new Error('no record');
    });
    await expect(failing).rejects.toThrow('no record');
    await scene.sweepUntilGone([rolledBack]);
  });

  it('deletes every due object when two instances sweep concurrently', async () => {
    const second = await startTestApp({ databaseUrl: scene.test.databaseUrl, env: scene.folder.env });
    const due = await scene.writeMany(90);
    const [leased, kept] = await scene.writeMany(2);
    await scene.endLeases(due);
    await scene.keep(kept);
    const sweepers = [
      scene.objects,
      second.get(StoredObjectsService),
      scene.objects,
      second.get(StoredObjectsService),
    ];
    await Promise.all(sweepers.map((sweeper) => sweeper.sweep()));
    await scene.sweepUntilGone(due);
    await scene.expectLeased(leased);
    await scene.expectKept(kept);
    await second.close();
  }, 60_000);
});

/**
 * Checks that each object is either kept, or its keep was rejected and it is deleted.
 * @param isCompetitorFirst whether the competitor starts before the keeps
 * @returns how many were kept
 */
async function expectOneWinner(
  keys: string[],
  compete: () => Promise<unknown>,
  isCompetitorFirst = false,
): Promise<number> {
  const competing = isCompetitorFirst ? compete() : undefined;
  const keeps = keys.map((key) => scene.keep(key).then(() => true, expectRejected));
  const [kept] = await Promise.all([Promise.all(keeps), competing ?? compete()]);
  await scene.sweepUntilGone(keys.filter((_, index) => !kept[index]));
  for (const key of keys.filter((_, index) => kept[index])) await scene.expectKept(key);
  return kept.filter(Boolean).length;
}

const expectRejected = (error: unknown) => {
  expect(error).toMatchObject({ status: 503, code: 'storage_unavailable' });
  return false;
};

describe('a race for one object', () => {
  const ALL_ROUNDS = 8;
  const ROUNDS = raceRounds(ALL_ROUNDS);

  /** Both outcomes occur in enough rounds; otherwise nothing raced. */
  const expectBothOutcomes = (wins: number) => {
    if (ROUNDS < ALL_ROUNDS) return;
    expect(wins).toBeGreaterThan(0);
    expect(wins).toBeLessThan(20 * ROUNDS);
  };

  it('between a keep and sweeps has one winner, whenever the lease ends', async () => {
    let wins = 0;
    let spreadMs = 60;
    for (let round = 0; round < ROUNDS; round++) {
      const keys = await scene.writeMany(20);
      for (const [index, key] of keys.entries())
        await scene.endLeases([key], (index * spreadMs) / keys.length);
      const kept = await expectOneWinner(keys, async () => {
        for (let n = 0; n < 15; n++) await Promise.all([scene.objects.sweep(), scene.objects.sweep()]);
      });
      wins += kept;
      // A busy machine begins to keep when the last lease has ended.
      if (kept === 0) spreadMs *= 2;
    }
    expectBothOutcomes(wins);
  }, 60_000);

  it('between a keep and a discard has one winner', async () => {
    let wins = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const keys = await scene.writeMany(20);
      const discardAll = () => Promise.all(keys.toReversed().map((key) => scene.objects.discard(key)));
      wins += await expectOneWinner(keys, discardAll, round % 2 === 1);
    }
    expectBothOutcomes(wins);
  }, 60_000);
});
