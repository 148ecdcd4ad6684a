import { render } from 'preact';
import { readPageData } from '../shared/page-data';

const data = readPageData();
const root = document.getElementById('app');

if (root) render(<p>{data.company?.name}</p>, root);
document.documentElement.dataset.ready = 'true';
