import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A label for calls. Tags form trees; names are unique among siblings, ignoring case. */
@Entity('tags')
export class Tag {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('text')
  name: string;

  /** #rrggbb, in lower case. */
  @Column('text', { default: '#64748b' })
  color: string;

  /** Null for a root tag. */
  @Column('uuid', { nullable: true })
  parent_id: string | null;

  @Column('text', { nullable: true })
  description: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  inserted_at: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date;
}
