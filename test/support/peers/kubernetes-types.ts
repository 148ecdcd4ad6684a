import { join } from 'node:path';
import ts from 'typescript';
import { REPOSITORY } from '../service/built-service';
import type { KubernetesObject } from './kubectl';

const FILE = join(REPOSITORY, 'test', 'objects.ts');

/** `networking.k8s.io/v1` has its types in networking/v1, and `v1` in core/v1. */
const moduleOf = (apiVersion: string) => {
  const [group = '', version] = apiVersion.split('/');
  return version
    ? `kubernetes-types/${group.replace('.k8s.io', '')}/${version}`
    : `kubernetes-types/core/${group}`;
};

/**
 * Compares objects with the types that Kubernetes publishes for them, by the TypeScript compiler: a field that their type does not
 * have, one that is missing, and a value of another type are errors.
 * @returns the errors, each with the kind of its object
 */
export function typeErrors(objects: KubernetesObject[]): string[] {
  // One line for each, so that an error tells its object.
  const source = objects
    .map(
      (object) =>
        `{ const object: import('${moduleOf(object.apiVersion)}').${object.kind} = ${JSON.stringify(object)}; void object; }`,
    )
    .join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => path === FILE || fileExists(path);
  host.readFile = (path) => (path === FILE ? source : readFile(path));
  host.getSourceFile = (path, ...rest) =>
    path === FILE ? ts.createSourceFile(path, source, ts.ScriptTarget.ES2022) : getSourceFile(path, ...rest);
  const program = ts.createProgram([FILE], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line : 0;
    return `${objects[line]?.kind}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
