import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A company that takes calls. */
@Entity('tenants')
export class Tenant {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Identifies the tenant in URLs and logins. */
  @Column('text')
  slug: string;

  /** CPF or CNPJ, without punctuation. */
  @Column('text', { nullable: true })
  document: string | null;

  @Column('text', { nullable: true })
  document_type: 'cpf' | 'cnpj' | null;

  /** An absolute URL, or the path of the uploaded logo: see logo-url.ts. */
  @Column('text', { nullable: true })
  logo_url: string | null;

  @Column('text', { default: '#2563eb' })
  primary_color: string;

  /** BCP 47 */
  @Column('text', { default: 'pt-BR' })
  language: string;

  /** IANA */
  @Column('text', { default: 'America/Sao_Paulo' })
  timezone: string;

  /** ISO 3166: where phone numbers without a country code are. */
  @Column('text', { default: 'BR' })
  country: string;

  /** Where the company says how it uses the data of customers; https. */
  @Column('text', { nullable: true })
  privacy_url: string | null;

  /** The same in a few words, as plain text. */
  @Column('text', { nullable: true })
  privacy_text: string | null;

  /** Attendants see only their departments' calls and those assigned to them. */
  @Column('boolean', { default: false })
  restrict_attendants: boolean;

  @Column('boolean', { default: false })
  mfa_required: boolean;

  /** Origins of the sites that may embed the widget. */
  @Column('text', { array: true, default: [] })
  allowed_sites: string[];

  /** Null keeps recordings indefinitely. */
  @Column('integer', { nullable: true })
  recording_retention_days: number | null;

  @Column('integer', { default: 20 })
  service_level_seconds: number;

  /** What agents can choose from when they pause. */
  @Column('text', { array: true, default: [] })
  pause_reasons: string[];

  /** Whether an agent who does not answer an offered call is paused. */
  @Column('boolean', { default: true })
  pause_after_missed_offer: boolean;

  /** Seconds of waiting after which supervisors are alerted; null for no alert. */
  @Column('integer', { nullable: true })
  alert_longest_wait: number | null;

  /** Whether supervisors are alerted when calls wait and no agent can be reached. */
  @Column('boolean', { default: false })
  alert_nobody_available: boolean;

  @Column('timestamptz', { nullable: true })
  suspended_at: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  inserted_at: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date;
}
