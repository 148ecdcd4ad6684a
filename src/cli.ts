import { requireSupportedNode } from './platform/config/require-node';

requireSupportedNode(process.versions.node);

// Loaded afterwards: an older Node would fail on the libraries before it could say why.
void Promise.all([import('./operator/run-command.js'), import('./bootstrap/explain-start-failure.js')]).then(
  ([{ runCommand }, { explainStartFailure: explainFailure }]) => runCommand(explainFailure),
);
