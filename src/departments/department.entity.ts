import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A group of agents with a queue of its own. */
@Entity('departments')
export class Department {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('text')
  name: string;

  @Column('text')
  identifier: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('boolean', { default: true })
  active: boolean;

  @Column('uuid', { nullable: true })
  sector_id: string | null;

  @Column('integer', { default: 20 })
  max_queue_size: number;

  /** Seconds. */
  @Column('integer', { default: 300 })
  max_wait_time: number;

  @CreateDateColumn({ type: 'timestamptz' })
  inserted_at: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date;
}
