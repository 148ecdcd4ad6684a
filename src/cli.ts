import { requireSupportedNode } from './bootstrap/require-node';

requireSupportedNode(process.versions.node);

// Imported only now: an unsupported Node would fail to load the libraries before the check could report it.
void Promise.all([import('./operator/run-command.js'), import('./bootstrap/explain-start-failure.js')]).then(
  ([{ runCommand }, { explainStartFailure }]) => runCommand(explainStartFailure),
);
