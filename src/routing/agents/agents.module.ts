import { Module } from '@nestjs/common';
import { CallsModule } from '../../calls/calls.module';
import { PresenceModule } from '../../presence/presence.module';
import { AgentList } from './agent-list';
import { AgentStates } from './agent-states';
import { AgentsController } from './agents.controller';
import { ChooseState } from './choose-state';
import { OwnWrapUpController } from './own-wrap-up.controller';
import { PresencePeriods } from './presence-periods';
import { PresenceRetention } from './presence-retention';
import { StaleAgents } from './stale-agents';
import { UserStateController } from './user-state.controller';
import { WrapUp } from './wrap-up';
import { WrapUpSweeper } from './wrap-up-sweeper';

@Module({
  imports: [CallsModule, PresenceModule],
  controllers: [AgentsController, UserStateController, OwnWrapUpController],
  providers: [
    AgentList,
    AgentStates,
    ChooseState,
    PresencePeriods,
    PresenceRetention,
    StaleAgents,
    WrapUp,
    WrapUpSweeper,
  ],
  exports: [AgentList, AgentStates, ChooseState],
})
export class AgentsModule {}
