import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { PlanName, SubscriptionStatus } from './plan-catalogue';

/** The plan that a tenant has chosen and whether it is paid for. */
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

  /** The end of the grace period, in which a past_due tenant keeps the limits of its plan. */
  @Column('timestamptz', { nullable: true })
  grace_deadline: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  inserted_at: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date;
}
