import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One login on one device, and the family of refresh tokens that descend from it. */
@Entity('sessions')
export class Session {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('uuid')
  user_id: string;

  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { nullable: true })
  user_agent: string | null;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { nullable: true })
  revoked_at: Date | null;

  /** When it was opened or last refreshed. */
  @Column('timestamptz')
  last_used_at: Date;

  @CreateDateColumn({ type: 'timestamptz' })
  inserted_at: Date;
}
