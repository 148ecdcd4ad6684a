import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';

/** An object of Kubernetes as it is written in YAML. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  // Its other fields are what the specs assert.
  // oxlint-disable-next-line typescript/no-explicit-any
  [field: string]: any;
}

/** Whether kubectl with Kustomize 4 or newer is installed. Where CI=true it must be. */
export function hasKubectl(): boolean {
  const { stdout } = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' });
  const isInstalled = /Kustomize Version: v([4-9]|\d\d)\./.test(stdout ?? '');
  if (!isInstalled && process.env.CI === 'true')
    throw new Error('There is no kubectl of version 1.21 or newer.');
  if (!isInstalled)
    process.stderr.write('NOTICE: there is no kubectl of version 1.21 or newer, so its tests did not run.\n');
  return isInstalled;
}

/** The objects that `kubectl apply -k` would send for a folder. @throws Error with what kubectl says */
export function renderKustomization(folder: string): KubernetesObject[] {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`kubectl ends with ${status}: ${stderr}`);
  return parseObjects(stdout);
}

/** The objects in a text of YAML. */
export const parseObjects = (text: string): KubernetesObject[] =>
  parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
