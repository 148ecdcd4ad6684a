import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A person who has called, or who has a link or an appointment. */
@Entity('customers')
export class Customer {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  email: string | null;

  @Column('text', { nullable: true })
  phone: string | null;

  /** What is compared of the phone, see phone-numbers.ts; null until it is known. */
  @Column('text', { nullable: true })
  phone_normalized: string | null;

  @Column('text', { nullable: true })
  document: string | null;

  @Column('text', { nullable: true })
  notes: string | null;

  @Column('jsonb', { default: {} })
  metadata: object;

  /** The member of staff who created the customer; null if a customer did by joining. */
  @Column('uuid', { nullable: true })
  created_by: string | null;

  @Column('timestamptz')
  inserted_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
