import { requireSupportedNode } from './platform/config/require-node';

requireSupportedNode(process.versions.node);

// Loaded afterwards: an older Node would fail on the libraries before it could say why.
void import('./bootstrap/run-service.js').then(({ runService }) => runService());
