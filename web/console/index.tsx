import './styles';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { StaffSession } from './state/staff-session';
import { commonTexts } from './texts/texts';

const session = new StaffSession();
const root = document.getElementById('app');

void commonTexts.preload().then(() => {
  if (root) createRoot(root).render(<App session={session} />);
  document.documentElement.dataset.ready = 'true';
});
