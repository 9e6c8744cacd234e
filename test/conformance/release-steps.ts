/** A command of kubectl, and what it must print. */
export interface Step {
  readonly words: string;
  readonly prints: RegExp;
  /** 0 when not given. */
  readonly code?: number;
  readonly stdin?: string;
  /** The first release that knows the command. */
  readonly since?: number;
  /** The command has printed all that is wanted, and is ended: its code says nothing. */
  readonly endsAt?: RegExp;
  /** What is answered on the port that is forwarded. */
  readonly reaches?: RegExp;
}

const manifest = (colour: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, labels: { app: web } }
data: { colour: ${colour} }
`;

const HEADLESS = `
apiVersion: v1
kind: Service
metadata: { name: peers }
spec: { clusterIP: None, selector: { app: web }, ports: [{ port: 8080 }] }
`;

const IMAGE = 'shop/web:1.0';

/** What people do with every release of kubectl, in an order that makes sense: from looking around to taking all away. */
export const STEPS: readonly Step[] = [
  { words: 'version -o json', prints: /"serverVersion": \{[^}]*"minor": "36"/ },
  { words: 'cluster-info', prints: /control plane.*is running at/ },
  { words: 'api-versions', prints: /^apps\/v1$/m },
  { words: 'api-resources --namespaced=true -o wide', prints: /^deployments +deploy +apps\/v1 +true +Deployment/m },
  { words: 'explain deployment.spec.replicas', prints: /Number of desired pods/ },
  { words: 'get nodes -o wide', prints: /^worker-1 +Ready/m },
  { words: 'create namespace matrix', prints: /^namespace\/matrix created$/m },
  { words: 'config set-context --current --namespace=matrix', prints: /modified/ },
  { words: `create deployment web --image=${IMAGE} --replicas=2 --port=8080`, prints: /^deployment\.apps\/web created$/m },
  { words: 'rollout status deployment/web --timeout=60s', prints: /successfully rolled out/ },
  { words: 'wait --for=condition=Available deployment/web --timeout=60s', prints: /condition met/ },
  {
    words: 'get pods -l app=web --field-selector=status.phase=Running',
    prints: /^NAME +READY +STATUS +RESTARTS +AGE\nweb-\S+ +1\/1 +Running/,
  },
  { words: 'get deployment web -o jsonpath={.status.readyReplicas}', prints: /^2$/ },
  { words: 'get deployment web -o custom-columns=NAME:.metadata.name,IMAGE:..image', prints: /^web +shop\/web:1\.0$/m },
  { words: 'describe deployment web', prints: /NewReplicaSet: +web-\S+ \(2\/2 replicas created\)/ },
  { words: 'describe pods -l app=web --show-events', prints: /Successfully assigned matrix\/web-/ },
  { words: 'logs deployment/web --tail=5', prints: /^/ },
  // Over WebSockets since 1.31, over SPDY before.
  { words: 'exec deploy/web -- echo hello', prints: /^hello$/m },
  { words: 'exec -i deploy/web -- cat', stdin: 'from here\n', prints: /^from here$/m },
  { words: 'port-forward deploy/web :8080', prints: /^Forwarding from/, reaches: /^ok$/ },
  { words: 'expose deployment web --port=80 --target-port=8080', prints: /^service\/web exposed$/m },
  { words: 'get endpointslices -l kubernetes.io/service-name=web', prints: /^web-\S+ +IPv4 +8080 +\d/m },
  { words: 'scale deployment web --replicas=3', prints: /^deployment\.apps\/web scaled$/m },
  { words: 'set image deployment/web web=shop/web:1.1', prints: /image updated/ },
  { words: 'rollout history deployment/web', prints: /^2 +<none>$/m },
  { words: 'rollout undo deployment/web', prints: /rolled back/ },
  { words: 'rollout restart deployment/web', prints: /restarted/ },
  { words: 'rollout status deployment/web --timeout=60s', prints: /successfully rolled out/ },
  { words: 'apply -f -', stdin: manifest('red'), prints: /^configmap\/settings created$/m },
  { words: 'apply -f -', stdin: manifest('red'), prints: /^configmap\/settings unchanged$/m },
  { words: 'diff -f -', stdin: manifest('blue'), prints: /^\+ +colour: blue$/m, code: 1 },
  { words: 'apply -f -', stdin: manifest('blue'), prints: /^configmap\/settings configured$/m },
  { words: 'apply --server-side --force-conflicts -f -', stdin: manifest('green'), prints: /^configmap\/settings serverside-applied$/m },
  { words: 'apply --dry-run=server -f -', stdin: HEADLESS, prints: /^service\/peers created \(server dry run\)$/m },
  { words: 'replace -f -', stdin: manifest('grey'), prints: /^configmap\/settings replaced$/m },
  { words: 'patch configmap settings --type=json -p [{"op":"add","path":"/data/a","value":"1"}]', prints: /patched/ },
  { words: 'patch deployment web -p {"spec":{"minReadySeconds":1}}', prints: /patched/ },
  { words: 'label pods -l app=web tier=front', prints: /labeled/ },
  { words: 'annotate configmap settings note=some', prints: /annotated/ },
  { words: 'create secret generic token --from-literal=a=1', prints: /^secret\/token created$/m },
  { words: 'create token default --duration=1h', prints: /^\S{20,}$/ },
  { words: 'auth can-i create deployments', prints: /^yes$/m },
  { words: 'auth whoami', prints: /kubernetes-admin/, since: 28 },
  { words: 'autoscale deployment web --min=1 --max=5 --cpu-percent=80', prints: /autoscaled/ },
  { words: `create job once --image=shop/tools:1.0 -- true`, prints: /^job\.batch\/once created$/m },
  { words: 'wait --for=condition=Complete job/once --timeout=60s', prints: /condition met/ },
  { words: `run shell --image=shop/tools:1.0 --restart=Never --command -- sleep 600`, prints: /^pod\/shell created$/m },
  { words: 'wait --for=condition=Ready pod/shell --timeout=60s', prints: /condition met/ },
  { words: 'get pods --watch', prints: /^shell +1\/1 +Running/m, endsAt: /^shell +1\/1 +Running/m },
  { words: 'get events --sort-by=.lastTimestamp', prints: /Started +pod\/shell +Container started/ },
  { words: 'events --for pod/shell', prints: /Started +Pod\/shell/, since: 26 },
  { words: 'drain worker-2 --ignore-daemonsets --delete-emptydir-data --force', prints: /^node\/worker-2 drained$/m },
  { words: 'uncordon worker-2', prints: /uncordoned/ },
  { words: 'delete deployment web --cascade=foreground --timeout=60s', prints: /deleted/ },
  { words: 'delete namespace matrix --timeout=60s', prints: /^namespace "matrix" deleted/m },
  { words: 'get namespace matrix', prints: /^$/, code: 1 },
];

const HELM = '--wait --timeout 60s';

/** What people do with helm. */
export const HELM_STEPS: readonly Step[] = [
  { words: `install shop chart --namespace helm --create-namespace ${HELM}`, prints: /STATUS: deployed\nREVISION: 1$/m },
  { words: 'list --namespace helm', prints: /^shop\s+helm\s+1\s.*deployed\s+web-0\.1\.0/m },
  { words: `upgrade shop chart --namespace helm --set replicas=2 ${HELM}`, prints: /STATUS: deployed\nREVISION: 2$/m },
  { words: 'get manifest shop --namespace helm', prints: /^ {2}replicas: 2$/m },
  { words: 'get values shop --namespace helm', prints: /^replicas: 2$/m },
  { words: 'history shop --namespace helm', prints: /^2\s.*deployed/m },
  { words: `rollback shop 1 --namespace helm ${HELM}`, prints: /Rollback was a success/ },
  { words: 'status shop --namespace helm', prints: /^REVISION: 3$/m },
  { words: `upgrade --install other chart --namespace helm ${HELM}`, prints: /STATUS: deployed/ },
  { words: 'uninstall shop --namespace helm --wait', prints: /release "shop" uninstalled/ },
  { words: 'list --namespace helm --short', prints: /^other$/m },
];

/** A chart with a Deployment, a Service, a hook and the manifest of a kind of its own. */
export const CHART: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\n',
  'values.yaml': 'replicas: 1\n',
  'crds/parcels.yaml': `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: parcels.shop.example }
spec:
  group: shop.example
  scope: Namespaced
  names: { plural: parcels, singular: parcel, kind: Parcel }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }]
`,
  'templates/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: { app: {{ .Release.Name }} }
  template:
    metadata:
      labels: { app: {{ .Release.Name }} }
    spec:
      containers:
        - name: web
          image: ${IMAGE}
          ports: [{ containerPort: 8080 }]
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  selector: { app: {{ .Release.Name }} }
  ports: [{ port: 80, targetPort: 8080 }]
---
apiVersion: shop.example/v1
kind: Parcel
metadata:
  name: {{ .Release.Name }}
spec: { to: jane }
`,
  'templates/hook.yaml': `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-before
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: before, image: shop/tools:1.0, command: ["true"] }]
`,
};
