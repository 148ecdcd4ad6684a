import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlansModule } from '../plans/plans.module';
import { AuthController } from './auth.controller';
import { JwtStrategy } from './jwt.strategy';
import { Login } from './login';
import { Logout } from './logout';
import { Memberships } from './memberships';
import { Refresh } from './refresh';
import { Session } from './session.entity';
import { SessionStates } from './session-states';
import { Sessions } from './sessions';
import { User } from './user.entity';
import { UserList } from './user-list';
import { Users } from './users';
import { UsersController } from './users.controller';

@Module({
  imports: [TypeOrmModule.forFeature([User, Session]), PassportModule, PlansModule],
  controllers: [AuthController, UsersController],
  providers: [JwtStrategy, Login, Logout, Memberships, Refresh, Sessions, SessionStates, UserList, Users],
  exports: [Memberships, SessionStates, Users],
})
export class IdentityModule {}
