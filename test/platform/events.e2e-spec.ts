import { Injectable, Module } from '@nestjs/common';
import { Database } from '../../src/platform/database/database';
import type { Transaction } from '../../src/platform/database/transaction';
import { DomainEvent } from '../../src/platform/events/domain-event';
import { EventBus } from '../../src/platform/events/event-bus';
import { AfterCommit, Durable, InTransaction } from '../../src/platform/events/listeners';
import { someId, TestTenant } from '../support/builders';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

class ProbeHappened extends DomainEvent {
  readonly type = 'probe.happened';

  constructor(
    tenantId: string,
    readonly label: string,
    subjectId: string = someId(),
  ) {
    super(tenantId, subjectId, new Date().toISOString());
  }
}

const failingUseCase = () => {
  throw new Error('the use case fails');
};

/** Listens in all three phases and records the labels of the events. */
@Injectable()
class ProbeListeners {
  readonly inTransaction: string[] = [];
  readonly afterCommit: string[] = [];
  readonly durable: string[] = [];
  /** Listeners to an event with the label `slow` wait for it. */
  readonly slow = Promise.withResolvers<void>();

  @InTransaction(ProbeHappened)
  async during({ label, tenant_id }: ProbeHappened, tx: Transaction): Promise<void> {
    this.inTransaction.push(label);
    if (label === 'refused') throw new Error('a listener refuses');
    await tx.query(`UPDATE tenants SET logo_url = $2 WHERE id = $1`, [tenant_id, label]);
  }

  @AfterCommit(ProbeHappened)
  async after({ label }: ProbeHappened): Promise<void> {
    this.afterCommit.push(label);
    if (label === 'slow') await this.slow.promise;
    if (label === 'clumsy') throw new Error('a listener stumbles');
  }

  @Durable(ProbeHappened, 'probe-durable')
  async later({ label }: ProbeHappened): Promise<void> {
    this.durable.push(label);
    if (label === 'stubborn' && this.durable.filter((other) => other === label).length < 2) {
      throw new Error('fails the first time');
    }
  }
}

@Module({ providers: [ProbeListeners] })
class ProbeModule {}

describe('domain events', () => {
  let test: TestApp;
  let tenantId: string;
  let listeners: ProbeListeners;

  beforeAll(async () => {
    test = await startTestApp({ imports: [ProbeModule] });
    tenantId = (await TestTenant.register(test)).id;
    listeners = test.get(ProbeListeners);
  });

  afterAll(() => test.close());

  const record = (label: string, end: () => void = () => {}, subjectId?: string) =>
    test.get(Database).tenant(tenantId, async (tx) => {
      await test.get(EventBus).record(tx, new ProbeHappened(tenantId, label, subjectId));
      end();
    });

  const recorded = async (label: string) =>
    (await test.db.query(`SELECT * FROM domain_events WHERE payload->>'label' = $1`, [label])).rows;

  it('are recorded with the change and delivered in all three phases', async () => {
    await record('plain');
    expect(listeners.inTransaction).toContain('plain');
    expect(listeners.afterCommit).toContain('plain');
    await until(() => listeners.durable.includes('plain'));
    const [row] = await recorded('plain');
    expect(row).toMatchObject({ tenant_id: tenantId, type: 'probe.happened' });
    const { rows } = await test.db.query('SELECT logo_url FROM tenants WHERE id = $1', [tenantId]);
    expect(rows[0].logo_url).toBe('plain');
  });

  it('are rolled back with the change when an in-transaction listener throws', async () => {
    await expect(record('refused')).rejects.toThrow('a listener refuses');
    expect(await recorded('refused')).toEqual([]);
    expect(listeners.afterCommit).not.toContain('refused');
    const { rows } = await test.db.query(`SELECT FROM pgboss.job WHERE data->>'label' = 'refused'`);
    expect(rows).toEqual([]);
  });

  it('reach no after-commit listener when the change is rolled back later', async () => {
    await expect(record('undone', failingUseCase)).rejects.toThrow('the use case fails');
    expect(listeners.inTransaction).toContain('undone');
    expect(listeners.afterCommit).not.toContain('undone');
    expect(await recorded('undone')).toEqual([]);
  });

  it('do not fail the change when an after-commit listener throws', async () => {
    await expect(record('clumsy')).resolves.toBeUndefined();
    expect(await recorded('clumsy')).toHaveLength(1);
  });

  it('do not wait for after-commit listeners, which run in the order of the changes of a record', async () => {
    const subject = someId();
    await record('slow', undefined, subject);
    await record('after slow', undefined, subject);
    await record('other record');
    expect(listeners.afterCommit.slice(-2)).toEqual(['slow', 'other record']);
    listeners.slow.resolve();
    await until(() => listeners.afterCommit.includes('after slow'));
  });

  it('reach their after-commit listeners before the service stops', async () => {
    const stopping = await startTestApp({ imports: [ProbeModule] });
    const { id } = await TestTenant.register(stopping);
    await stopping.get(Database).tenant(id, async (tx) => {
      const events = stopping.get(EventBus);
      const subject = someId();
      for (const label of ['slow', 'last']) await events.record(tx, new ProbeHappened(id, label, subject));
    });
    const probe = stopping.get(ProbeListeners);
    expect(probe.afterCommit).toEqual(['slow']);
    const stopped = stopping.close();
    setTimeout(() => probe.slow.resolve(), 300);
    await stopped;
    expect(probe.afterCommit).toEqual(['slow', 'last']);
  });

  it('roll back only when no store sends statements any more', async () => {
    const label = 'overtaken';
    let isPending = false;
    const isProbe = (events: readonly DomainEvent[]) =>
      events.some((event) => event instanceof ProbeHappened && event.label === label);
    test.get(EventBus).registerStore({
      async store(tx, events) {
        if (!isProbe(events)) return;
        isPending = true;
        for (let count = 0; count < 5; count++) await tx.query('SELECT');
        isPending = false;
      },
    });
    test.get(EventBus).registerStore({
      store(_tx, events) {
        if (isProbe(events)) throw new Error('a store refuses');
      },
    });
    await expect(record(label)).rejects.toThrow('a store refuses');
    expect(isPending).toBe(false);
  });

  it('reach a durable listener again after it threw', async () => {
    await record('stubborn');
    await until(() => listeners.durable.filter((label) => label === 'stubborn').length === 2);
    await until(async () => {
      const { rows } = await test.db.query(`SELECT state FROM pgboss.job WHERE data->>'label' = 'stubborn'`);
      return rows[0]?.state === 'completed';
    });
  });

  it('reach a durable listener through their job row alone', async () => {
    // A process that died between the commit and the delivery leaves only this row.
    await test.db.query(`INSERT INTO pgboss.job (name, data, retry_limit) VALUES ('probe-durable', $1, 3)`, [
      JSON.stringify(new ProbeHappened(tenantId, 'orphan')),
    ]);
    await until(() => listeners.durable.includes('orphan'));
  });
});
