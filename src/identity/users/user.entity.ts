import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { Role } from '../../platform/access/roles';

/** A member of a tenant's staff. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('text')
  name: string;

  @Column('text')
  email: string;

  @Column('text', { nullable: true })
  phone: string | null;

  /** The path of the photo: see user-avatars.service.ts. */
  @Column('text', { nullable: true })
  avatar_url: string | null;

  @Column('text')
  role: Role;

  @Column('boolean', { default: true })
  active: boolean;

  /** Argon2id; null until the user has chosen a password. */
  @Column('text', { nullable: true, select: false })
  password_hash: string | null;

  @Column('boolean', { default: false })
  mfa_enabled: boolean;

  /** When the user followed a link that was mailed to the current address. */
  @Column('timestamptz', { nullable: true, select: false })
  email_confirmed_at: Date | null;

  @Column('timestamptz', { nullable: true })
  last_login_at: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  inserted_at: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date;
}
