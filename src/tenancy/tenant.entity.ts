import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A company that takes calls. */
@Entity('tenants')
export class Tenant {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** The name that stands in addresses and logins. */
  @Column('text')
  slug: string;

  /** CPF or CNPJ, without punctuation. */
  @Column('text', { nullable: true })
  document: string | null;

  @Column('text', { nullable: true })
  document_type: 'cpf' | 'cnpj' | null;

  @Column('text', { nullable: true })
  logo_url: string | null;

  @Column('text', { default: '#2563eb' })
  primary_color: string;

  /** Attendants see only their departments' calls and those assigned to them. */
  @Column('boolean', { default: false })
  restrict_attendants: boolean;

  @Column('timestamptz', { nullable: true })
  suspended_at: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  inserted_at: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date;
}
