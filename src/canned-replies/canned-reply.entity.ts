import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A text of the company for notes and chat messages. */
@Entity('canned_replies')
export class CannedReply {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('text')
  title: string;

  @Column('text')
  text: string;

  /** In lower case; unique in the tenant. */
  @Column('text', { nullable: true })
  shortcut: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  inserted_at: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date;
}
