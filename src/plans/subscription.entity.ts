import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { PlanName, SubscriptionStatus } from './plan-catalogue';

/** What a tenant subscribed to and whether it is paid for. */
@Entity('subscriptions')
export class Subscription {
  @PrimaryColumn('uuid')
  tenant_id: string;

  @Column('text')
  plan: PlanName;

  @Column('text')
  status: SubscriptionStatus;

  @Column('timestamptz', { nullable: true })
  current_period_start: Date | null;

  @Column('timestamptz', { nullable: true })
  current_period_end: Date | null;

  /** Until then a past_due tenant keeps its plan's limits. */
  @Column('timestamptz', { nullable: true })
  grace_deadline: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  inserted_at: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date;
}
