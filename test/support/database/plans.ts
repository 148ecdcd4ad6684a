import type { Statement } from '../../../src/platform/database/statement';
import type { Transaction } from '../../../src/platform/database/transaction';

/** A node of a plan of EXPLAIN (ANALYZE, FORMAT JSON). */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Executes the statement in this transaction, under row-level security. @returns its plan */
export async function planOf(tx: Transaction, { text, values }: Statement): Promise<PlanNode> {
  const row = await tx.one<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  if (!row) throw new Error('EXPLAIN returned nothing');
  return row['QUERY PLAN'][0].Plan;
}

/** The nodes of a plan that read the table. */
export const nodesReading = (plan: PlanNode, table: string): PlanNode[] =>
  nodesOf(plan).filter((node) => node['Relation Name'] === table);

/** How many rows these nodes have read in all. */
export const entriesRead = (nodes: PlanNode[]): number =>
  nodes
    .map(
      (node) =>
        ((node['Actual Rows'] ?? 0) +
          (node['Rows Removed by Filter'] ?? 0) +
          (node['Rows Removed by Index Recheck'] ?? 0)) *
        (node['Actual Loops'] ?? 0),
    )
    .reduce((sum, count) => sum + count, 0);
