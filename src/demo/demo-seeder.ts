import { Inject, Injectable } from '@nestjs/common';
import { AccessLinksService } from '../access-links/access-links.service';
import { PaymentNotificationsService } from '../billing/payment-notifications.service';
import { Department } from '../departments/department.entity';
import { MembershipsService } from '../identity/users/memberships.service';
import { PasswordHasher } from '../identity/users/password-hasher';
import { UsersService } from '../identity/users/users.service';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { ROLES } from '../platform/access/roles';
import { SubscriptionWriter } from '../plans/subscription-writer';
import { TenantsService } from '../tenancy/tenants.service';
import { CALLING_BACK, insertPastCallbacks, insertRequestedCallback } from './callbacks';
import { officeHours } from './office-hours';
import { insertPastOverflows, OVERFLOWING } from './overflow';
import { insertPastCalls } from './past-calls';
import { insertCustomersAndTags, insertActivity } from './demo-data';
import { AUTOMATIC, insertPastOffers, insertPastParts, insertSkills } from './distribution';
import { linkUrl } from '../access-links/link-url';

export const DEMO_PASSWORD = 'demo-call-queue';
const COMPANY_NAME = 'Demo';
const NAMES_BY_ROLE = {
  attendant: 'Ana Souza',
  supervisor: 'Bruno Lima',
  manager: 'Carla Dias',
  owner: 'Davi Rocha',
};
const departmentsAt = (now: Date): Partial<Department>[] => [
  { name: 'Suporte Técnico', identifier: 'suporte-tecnico', description: 'Help with the product' },
  {
    name: 'Vendas',
    identifier: 'vendas',
    description: 'Offers and orders',
    ...AUTOMATIC,
    ...CALLING_BACK,
    ...OVERFLOWING,
  },
  {
    name: 'Vistorias',
    identifier: 'vistorias',
    description: 'Inspections by video, in office hours',
    ...officeHours(now),
    ...CALLING_BACK,
  },
];

/** How to log in to the demo tenant and to call it. */
export interface DemoAccess {
  /** Its slug. */
  tenant: string;
  logins: { role: string; email: string }[];
  /** Address of a customer link. */
  link: string;
}

/**
 * Creates a demo tenant with an active enterprise plan, one user of each role, past calls, a department whose agents pick
 * calls, one that offers them and overflows to the first one, one with opening hours, and their customer links. The last two
 * call customers back.
 */
@Injectable()
export class DemoSeeder {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsService,
    private readonly subscriptions: SubscriptionWriter,
    private readonly payments: PaymentNotificationsService,
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
    private readonly links: AccessLinksService,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Creates the demo tenant unless it exists. A lock keeps instances that start together from creating two. */
  async seed(): Promise<DemoAccess> {
    const password_hash = await this.hasher.hash(DEMO_PASSWORD);
    await this.database.system(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('demo tenant', 0))`);
      if (!(await this.find(tx))) await this.create(tx, password_hash);
    });
    return this.access();
  }

  private async access(): Promise<DemoAccess> {
    return this.database.system(async (tx) => {
      const tenant = await this.find(tx);
      const link = await tx.one<{ token: string }>(
        `SELECT token FROM access_links WHERE tenant_id = $1 AND label NOT LIKE 'Inglês%'
         ORDER BY inserted_at, department_name, id LIMIT 1`,
        [tenant?.id],
      );
      return {
        tenant: tenant?.slug ?? '',
        logins: ROLES.map((role) => ({ role, email: emailOf(role) })),
        link: linkUrl(this.config.publicUrl, link?.token),
      };
    });
  }

  /** The demo tenant is the only one without a document. */
  private find(tx: Transaction): Promise<{ id: string; slug: string } | undefined> {
    return tx.one('SELECT id, slug FROM tenants WHERE document IS NULL ORDER BY inserted_at LIMIT 1');
  }

  private async create(tx: Transaction, password_hash: string): Promise<void> {
    const { id: tenant_id } = await this.tenants.create(tx, {
      name: COMPANY_NAME,
      document: null,
      document_type: null,
    });
    await this.tenants.confirmEmail(tx, tenant_id);
    await this.subscriptions.start(tx, tenant_id, 'enterprise');
    await this.payments.grant(tx, tenant_id);
    const agents: { id: string; name: string }[] = [];
    for (const role of ROLES) {
      const name = NAMES_BY_ROLE[role];
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
    const [english] = await insertSkills(tx, tenant_id, agents);
    const departments = tx.repository(Department);
    let first: Department | undefined;
    for (const input of departmentsAt(now)) {
      const overflow = input.overflow_after ? { overflow_department_id: first?.id } : {};
      const department = await departments.save(departments.create({ ...input, ...overflow, tenant_id }));
      first ??= department;
      for (const agent of agents) await this.memberships.add(tx, tenant_id, department.id, agent.id);
      await this.links.insert(tx, tenant_id, null, {
        department_id: department.id,
        label: `${input.name} (demo)`,
      });
      if (department.opening_hours) {
        await insertRequestedCallback(tx, department, now);
        // Past calls are at any hour.
        continue;
      }
      await insertPastCalls(tx, department, agents, now);
      if (department.routing !== 'automatic' || english === undefined) continue;
      await this.links.insert(tx, tenant_id, null, {
        department_id: department.id,
        label: `Inglês, ${input.name} (demo)`,
        priority: 3,
        skills: [{ skill_id: english, min_level: 2 }],
      });
    }
    await insertPastCallbacks(tx, tenant_id);
    await insertPastOverflows(tx, tenant_id);
    await insertPastParts(tx, tenant_id);
    await insertPastOffers(tx, tenant_id, agents);
    await insertActivity(tx, tenant_id, agents[0]?.id ?? '', now);
  }
}

const emailOf = (role: string) => `${role}@demo.example`;
