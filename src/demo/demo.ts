import { Inject, Injectable } from '@nestjs/common';
import { AccessLinksService } from '../access-links/access-links.service';
import { PaymentNotificationsService } from '../billing/payment-notifications.service';
import { Department } from '../departments/department.entity';
import { MembershipsService } from '../identity/users/memberships.service';
import { hashPassword } from '../identity/users/passwords';
import { UsersService } from '../identity/users/users.service';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { ROLES } from '../platform/access/principal';
import { SubscriptionsService } from '../plans/subscriptions.service';
import { TenantsService } from '../tenancy/tenants.service';
import { insertHistory } from './demo-history';
import { insertCustomersAndTags, insertSurroundings } from './demo-surroundings';

export const DEMO_PASSWORD = 'demo-call-queue';
const COMPANY = 'Demo';
const PEOPLE = {
  attendant: 'Ana Souza',
  supervisor: 'Bruno Lima',
  manager: 'Carla Dias',
  owner: 'Davi Rocha',
};
const DEPARTMENTS = [
  { name: 'Suporte Técnico', identifier: 'suporte-tecnico', description: 'Help with the product' },
  { name: 'Vendas', identifier: 'vendas', description: 'Offers and orders' },
];

/** Where somebody who has just started the service can go. */
export interface DemoPlaces {
  tenant: string;
  logins: { role: string; email: string }[];
  link: string;
}

/** A tenant to look around in: an active enterprise plan, one user of each role, a link, some history. */
@Injectable()
export class Demo {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsService,
    private readonly subscriptions: SubscriptionsService,
    private readonly payments: PaymentNotificationsService,
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
    private readonly links: AccessLinksService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Makes the demo tenant if there is none, and tells where it is. Instances that start together take turns. */
  async seed(): Promise<DemoPlaces> {
    const password_hash = await hashPassword(DEMO_PASSWORD);
    await this.database.system(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('demo tenant', 0))`);
      if (!(await this.find(tx))) await this.create(tx, password_hash);
    });
    return this.places();
  }

  private async places(): Promise<DemoPlaces> {
    return this.database.system(async (tx) => {
      const tenant = await this.find(tx);
      const link = await tx.one<{ token: string }>(
        'SELECT token FROM access_links WHERE tenant_id = $1 ORDER BY inserted_at, id LIMIT 1',
        [tenant?.id],
      );
      return {
        tenant: tenant?.slug ?? '',
        logins: ROLES.map((role) => ({ role, email: emailOf(role) })),
        link: `${this.config.publicUrl}/call/${link?.token ?? ''}`,
      };
    });
  }

  /** The demo is the one tenant that is no company: it has no document. */
  private find(tx: Transaction): Promise<{ id: string; slug: string } | undefined> {
    return tx.one('SELECT id, slug FROM tenants WHERE document IS NULL ORDER BY inserted_at LIMIT 1');
  }

  private async create(tx: Transaction, password_hash: string): Promise<void> {
    const { id: tenant_id } = await this.tenants.create(tx, {
      name: COMPANY,
      document: null,
      document_type: null,
    });
    await this.subscriptions.start(tx, tenant_id, 'enterprise');
    await this.payments.grant(tx, tenant_id);
    const agents: { id: string; name: string }[] = [];
    for (const role of ROLES) {
      const name = PEOPLE[role];
      agents.push(
        await this.users.insert(tx, {
          tenant_id,
          name,
          email: emailOf(role),
          role,
          phone: null,
          password_hash,
        }),
      );
    }
    const now = this.clock.now();
    await insertCustomersAndTags(tx, tenant_id, now);
    for (const input of DEPARTMENTS) {
      const departments = tx.repository(Department);
      const department = await departments.save(departments.create({ ...input, tenant_id }));
      for (const agent of agents) await this.memberships.add(tx, tenant_id, department.id, agent.id);
      await this.links.insert(tx, tenant_id, null, {
        department_id: department.id,
        label: `${input.name} (demo)`,
      });
      await insertHistory(tx, department, agents, now);
    }
    await insertSurroundings(tx, tenant_id, agents[0]?.id ?? '', now);
  }
}

const emailOf = (role: string) => `${role}@demo.example`;
