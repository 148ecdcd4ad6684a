import { Option, SubCommand } from 'nest-commander';
import { PLAN_NAMES, type PlanName } from '../../../plans/plan-catalogue';
import { PlanChange, type PlanChangeResult } from '../../tenants/plan-change';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'set-plan',
  arguments: '<tenant> <plan>',
  argsDescription: { tenant: 'slug or id', plan: PLAN_NAMES.join(', ') },
  description: 'change the plan of a tenant and put it in force, paid for or not',
})
export class TenantSetPlanCommand extends OperatorCommand {
  async run(
    [tenant = '', plan = '']: string[],
    options: OutputOptions & { pending?: boolean },
  ): Promise<void> {
    if (!isPlan(plan)) this.command.error(`error: the plan must be one of ${PLAN_NAMES.join(', ')}`);
    const result = await this.application.use(PlanChange, (change) =>
      change.change(tenant, plan, options.pending ?? false),
    );
    this.print(result, options, formatResult);
  }

  @Option({
    flags: '--pending',
    description: 'put it in force only once it is paid for; past payments count',
  })
  parsePending(): boolean {
    return true;
  }
}

const isPlan = (name: string): name is PlanName => (PLAN_NAMES as readonly string[]).includes(name);

function formatResult({ tenant, before, after, above_limits }: PlanChangeResult): string {
  const lines = [`${tenant}: ${before.plan}, ${before.status} → ${after.plan}, ${after.status}`];
  for (const { figure, used, limit } of above_limits) {
    const name = figure.replaceAll('_', ' ');
    lines.push(`It has ${used} ${name}, but the limit is ${limit}: they are kept, but none can be added.`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
