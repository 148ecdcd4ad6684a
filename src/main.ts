import { requireSupportedNode } from './bootstrap/require-node';

requireSupportedNode(process.versions.node);

// Imported only now: an unsupported Node would fail to load the libraries before the check could report it.
void import('./bootstrap/run-service.js').then(({ runService }) => runService());
