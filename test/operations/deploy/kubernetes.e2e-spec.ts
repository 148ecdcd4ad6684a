import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { VARIABLES } from '../../../src/platform/config/variables';
import {
  hasKubectl,
  type KubernetesObject,
  parseObjects,
  renderKustomization,
} from '../../support/peers/kubectl';
import { typeErrors } from '../../support/peers/kubernetes-types';
import { REPOSITORY } from '../../support/service/built-service';

const FOLDER = join(REPOSITORY, 'deploy', 'kubernetes');
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');

/** The time that the service may take to close, after DRAIN_SECONDS. */
const MAX_CLOSING_SECONDS = 40;

const describeWithKubectl = hasKubectl() ? describe : describe.skip;

describeWithKubectl('deploy/kubernetes as kubectl renders it', () => {
  let objects: KubernetesObject[];
  let job: KubernetesObject;
  const secrets = parseObjects(read('secrets.example.yaml'));
  const only = (kind: string): KubernetesObject => {
    const [found, ...others] = objects.filter((object) => object.kind === kind);
    if (!found || others.length > 0) throw new Error(`There is not exactly one ${kind}.`);
    return found;
  };
  const pod = () => only('Deployment').spec.template;
  const container = () => pod().spec.containers[0];

  beforeAll(() => {
    objects = renderKustomization(join(FOLDER, 'example'));
    [job] = renderKustomization(join(FOLDER, 'example', 'migrate')) as [KubernetesObject];
  });

  it('has what an installation needs', () => {
    expect(objects.map(({ kind }) => kind).toSorted()).toEqual([
      'ConfigMap',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
    ]);
    expect(job.kind).toBe('Job');
    for (const { metadata } of [...objects, job]) expect(metadata.namespace).toBe('video-queue');
  });

  it('has only fields that Kubernetes knows', () => {
    expect(typeErrors([...objects, job, ...secrets])).toEqual([]);
  });

  it('would not be valid with a field that is misspelt, missing or of another type, in any of its objects', () => {
    const misspelt: [kind: string, field: RegExp, replacement: string][] = [
      ['ConfigMap', /"data"/, '"date"'],
      ['Deployment', /"livenessProbe"/, '"livenesProbe"'],
      ['Deployment', /"failureThreshold"/, '"failureThreshhold"'],
      ['Deployment', /"maxSkew":1/, '"maxSkew":"1"'],
      ['Deployment', /"name":"service",/, ''],
      ['HorizontalPodAutoscaler', /"averageUtilization"/, '"averageUtilisation"'],
      ['Ingress', /"pathType"/, '"pathtype"'],
      ['Job', /"backoffLimit"/, '"backOffLimit"'],
      ['NetworkPolicy', /"policyTypes"/, '"policyType"'],
      ['PodDisruptionBudget', /"maxUnavailable"/, '"maxUnavailible"'],
      ['Secret', /"stringData"/, '"stringdata"'],
      ['Service', /"targetPort"/, '"targetport"'],
    ];
    const broken = misspelt.map(([kind, field, replacement]) => {
      const text = JSON.stringify([...objects, job, ...secrets].find((object) => object.kind === kind));
      expect(text).toMatch(field);
      return JSON.parse(text.replace(field, replacement)) as KubernetesObject;
    });
    const found = new Set(typeErrors(broken).map((error) => error.split(':')[0]));
    expect([...found].toSorted()).toEqual([...new Set(misspelt.map(([kind]) => kind))].toSorted());
    expect(typeErrors(broken)).toHaveLength(misspelt.length);
  });

  it('asks for liveness without the database and for readiness with it', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container();
    expect(startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
  });

  it('gives a pod the time that it takes to stop', () => {
    const preStop = Number(container().lifecycle.preStop.exec.command[1]);
    const drain = Number(only('ConfigMap').data.DRAIN_SECONDS);
    const { periodSeconds, failureThreshold } = container().readinessProbe;
    expect(pod().spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      preStop + drain + MAX_CLOSING_SECONDS,
    );
    expect(drain).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  it('selects the pods by the labels that they have', () => {
    const { labels } = pod().metadata;
    const selectors = [
      only('Deployment').spec.selector.matchLabels,
      only('Service').spec.selector,
      only('PodDisruptionBudget').spec.selector.matchLabels,
      only('NetworkPolicy').spec.podSelector.matchLabels,
      ...pod().spec.topologySpreadConstraints.map(
        ({ labelSelector }: KubernetesObject) => labelSelector.matchLabels,
      ),
    ];
    for (const selector of selectors) expect(labels).toMatchObject(selector);
    // A Service with these labels would send requests to the migration, too.
    expect(job.spec.template.metadata.labels).not.toMatchObject(labels);
    expect(only('HorizontalPodAutoscaler').spec.scaleTargetRef).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: only('Deployment').metadata.name,
    });
    expect(only('Deployment').spec.replicas).toBeUndefined();
  });

  it('sets variables that exist, and all that production requires', () => {
    const byName = Object.fromEntries(secrets.map((secret) => [secret.metadata.name, secret.stringData]));
    const names = [...Object.keys(only('ConfigMap').data), ...Object.keys(byName['video-queue'])];
    for (const name of names) expect(VARIABLES).toHaveProperty(name);
    expect(names).toEqual(
      expect.arrayContaining(['JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET', 'PUBLIC_URL']),
    );
    expect(container().envFrom).toEqual([
      { configMapRef: { name: only('ConfigMap').metadata.name } },
      { secretRef: { name: 'video-queue' } },
    ]);
    expect(Object.keys(byName['video-queue-database'])).toEqual(['url']);
  });

  it('lets the pods and the migration have no more rights than they need', () => {
    for (const spec of [pod().spec, job.spec.template.spec]) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(spec.containers[0].resources.limits.memory).toBeTruthy();
    }
  });

  it('migrates with a Job that only knows the database', () => {
    const { containers, restartPolicy } = job.spec.template.spec;
    expect([restartPolicy, containers.length]).toEqual(['Never', 1]);
    expect(containers[0].command).toEqual(['node', 'dist/src/cli.js', 'migrate']);
    expect(containers[0].env).toEqual(container().env);
  });

  it('has the image of this version', () => {
    expect(container().image).toMatch(new RegExp(`:${version}$`));
    expect(job.spec.template.spec.containers[0].image).toBe(container().image);
    for (const path of ['base/deployment.yaml', 'migrate/job.yaml'])
      expect(read(path)).toContain(`image: video-call-queue:${version}\n`);
  });
});
