import { render } from 'preact';

const root = document.getElementById('app');

if (root) render(<h1>Console</h1>, root);
document.documentElement.dataset.ready = 'true';
