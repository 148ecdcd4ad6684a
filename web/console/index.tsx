import { render } from 'preact';
import './console.css';
import { App } from './app';
import { StaffSession } from './session/staff-session';
import { preferredLanguage, useLanguage } from './texts/language';

const session = new StaffSession();
const root = document.getElementById('app');

void useLanguage(preferredLanguage()).then(() => {
  if (root) render(<App session={session} />, root);
  document.documentElement.dataset.ready = 'true';
});
