// What a program that uses podcheck as a library gets; the command line is `main.ts`.
export { PodcheckError } from './base/errors.ts';
export { loadRules } from './catalog/load-rules.ts';
export { collectEvidence as collect } from './library/collect-evidence.ts';
export { diagnoseTarget as diagnose, scanScope as scan } from './library/diagnose-target.ts';
export { judge } from './library/judge.ts';
export { readerFromFiles, readerFromKubeconfig, readerFromText } from './library/readers.ts';
export { rulesOfPodcheck as shippedRules } from './library/rules.ts';
export { simulate } from './library/simulated-cluster.ts';
export { diagnosisJson } from './report/diagnosis/diagnosis-json.ts';
export { scanJson } from './report/diagnosis/scan-json.ts';
export type { Simulation, SimulationOptions } from './library/simulated-cluster.ts';
export type { CollectRequest } from './library/collect-evidence.ts';
export type { KubeconfigOptions, OpenReader } from './library/readers.ts';
export type { ClusterReader, ListRead, Read, Scope } from './model/cluster-reader.ts';
export type { Cause, Diagnosis, Evidence, ScanResult } from './model/diagnosis.ts';
export type { KubeObject, ObjectRef } from './model/kube-object.ts';
export type { Rule } from './model/rule.ts';
