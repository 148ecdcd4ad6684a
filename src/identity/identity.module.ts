import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlansModule } from '../plans/plans.module';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { Accounts } from './accounts';
import { AuthController } from './auth.controller';
import { FailedLogins } from './failed-logins';
import { JwtStrategy } from './jwt.strategy';
import { Login } from './login';
import { Logout } from './logout';
import { Memberships } from './memberships';
import { Mfa } from './mfa/mfa';
import { MfaAttempts } from './mfa/mfa-attempts';
import { MfaController } from './mfa/mfa.controller';
import { SecondFactor } from './mfa/second-factor';
import { VerifyMfa } from './mfa/verify-mfa';
import { OwnSessions } from './own-sessions';
import { OwnSessionsController } from './own-sessions.controller';
import { AddressChangeMail } from './password-reset/address-change-mail';
import { ForgotPassword } from './password-reset/forgot-password';
import { Invitations } from './password-reset/invitations';
import { PasswordMails } from './password-reset/password-mails';
import { PasswordPageController } from './password-reset/password-page.controller';
import { PasswordTokens } from './password-reset/password-tokens';
import { ResetPassword } from './password-reset/reset-password';
import { Refresh } from './refresh';
import { StaffMail } from './password-reset/staff-mail';
import { Session } from './session.entity';
import { SessionStates } from './session-states';
import { Sessions } from './sessions';
import { SignIn } from './sign-in';
import { TenantDemands } from './tenant-demands';
import { User } from './user.entity';
import { UserList } from './user-list';
import { Users } from './users';
import { UsersController } from './users.controller';

const LOGIN = [Accounts, FailedLogins, JwtStrategy, Login, Logout, Refresh, SignIn];
const SESSIONS = [OwnSessions, Sessions, SessionStates, TenantDemands];
const MFA = [Mfa, MfaAttempts, SecondFactor, VerifyMfa];
const PASSWORDS = [ForgotPassword, PasswordTokens, ResetPassword];
const MAILS = [AddressChangeMail, Invitations, PasswordMails, StaffMail];
const USERS = [Memberships, UserList, Users];

@Module({
  imports: [TypeOrmModule.forFeature([User, Session]), PassportModule, PlansModule, RateLimitModule],
  controllers: [
    AuthController,
    MfaController,
    OwnSessionsController,
    PasswordPageController,
    UsersController,
  ],
  providers: [...LOGIN, ...SESSIONS, ...MFA, ...PASSWORDS, ...MAILS, ...USERS],
  exports: [Invitations, Memberships, Mfa, PasswordMails, PasswordTokens, SessionStates, StaffMail, Users],
})
export class IdentityModule {}
