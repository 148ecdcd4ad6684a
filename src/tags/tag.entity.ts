import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A word that calls are sorted by. Tags form trees; names differ among siblings, whatever their case. */
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

  /** The tag that it stands below; null at the top. */
  @Column('uuid', { nullable: true })
  parent_id: string | null;

  @Column('text', { nullable: true })
  description: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  inserted_at: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date;
}
