import { Option, SubCommand } from 'nest-commander';
import { PLAN_NAMES, type PlanName } from '../../plans/plan-catalogue';
import { PlanChange, type PlanChangeResult } from '../plan-change';
import { OperatorCommand, type OutputOptions } from './operator-command';

@SubCommand({
  name: 'set-plan',
  arguments: '<tenant> <plan>',
  argsDescription: { tenant: 'slug or id', plan: PLAN_NAMES.join(', ') },
  description: 'give a tenant another plan and put it in force, paid for or not',
})
export class TenantSetPlanCommand extends OperatorCommand {
  async run(
    [tenant = '', plan = '']: string[],
    options: OutputOptions & { pending?: boolean },
  ): Promise<void> {
    if (!isPlan(plan)) this.command.error(`error: the plan is one of ${PLAN_NAMES.join(', ')}`);
    const result = await this.application.use(PlanChange, (change) =>
      change.change(tenant, plan, options.pending ?? false),
    );
    this.print(result, options, linesOf);
  }

  @Option({
    flags: '--pending',
    description: 'do not put it in force: whether it is depends on the payments so far and to come',
  })
  parsePending(): boolean {
    return true;
  }
}

const isPlan = (name: string): name is PlanName => (PLAN_NAMES as readonly string[]).includes(name);

function linesOf({ tenant, before, after, above_limits }: PlanChangeResult): string {
  const lines = [`${tenant}: ${before.plan}, ${before.status} → ${after.plan}, ${after.status}`];
  for (const { figure, used, limit } of above_limits) {
    const what = figure.replaceAll('_', ' ');
    lines.push(`It has ${used} ${what}, and ${limit} are allowed: all of them stay, but none can be added.`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
