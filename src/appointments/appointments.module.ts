import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessLinksModule } from '../access-links/access-links.module';
import { CustomersModule } from '../customers/customers.module';
import { DepartmentsModule } from '../departments/departments.module';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { PlansModule } from '../plans/plans.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { Appointment } from './appointment.entity';
import { AppointmentMailQueue } from './mail/appointment-mail-queue';
import { AppointmentLinks } from './appointment-links';
import { AppointmentList } from './appointment-list';
import { AppointmentMailWorker } from './mail/appointment-mail-worker';
import { AppointmentTransitions } from './appointment-transitions';
import { AppointmentSweeper } from './appointment-sweeper';
import { AppointmentsService } from './appointments.service';
import { AppointmentsController } from './appointments.controller';
import { CompleteAppointmentAfterCall } from './complete-appointment-after-call';
import { UpdateConfirmedAppointment } from './update-confirmed-appointment';
import { AppointmentPersonalData } from './appointment-personal-data';
import { CancelDepartmentAppointments } from './cancel-department-appointments';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-error-registry';
import { APPOINTMENT_CONSTRAINTS } from './appointment.constraints';

CONSTRAINT_ERRORS.register(APPOINTMENT_CONSTRAINTS);

@Module({
  imports: [
    TypeOrmModule.forFeature([Appointment]),
    TenancyModule,
    PlansModule,
    RateLimitModule,
    DepartmentsModule,
    CustomersModule,
    AccessLinksModule,
  ],
  controllers: [AppointmentsController],
  providers: [
    AppointmentMailQueue,
    AppointmentLinks,
    AppointmentList,
    AppointmentMailWorker,
    AppointmentsService,
    AppointmentTransitions,
    AppointmentSweeper,
    CompleteAppointmentAfterCall,
    UpdateConfirmedAppointment,
    AppointmentPersonalData,
    CancelDepartmentAppointments,
  ],
})
export class AppointmentsModule {}
