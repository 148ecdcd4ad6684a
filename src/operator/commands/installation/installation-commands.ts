import { PauseCommand } from './pause.command';
import { ResumeCommand } from './resume.command';

export const INSTALLATION_COMMANDS = [PauseCommand, ResumeCommand];
