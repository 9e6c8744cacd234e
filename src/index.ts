// What a program that uses podcheck as a library gets; the command line is `main.ts`.
export { PodcheckError } from './base/errors.ts';
export { loadRules } from './catalog/load-rules.ts';
export { shippedRules } from './catalog/bundled-data.ts';
export { collect } from './collect/collect.ts';
export { diagnose as judge } from './engine/diagnose.ts';
export { diagnoseTarget as diagnose, scanScope as scan } from './library/diagnose-target.ts';
export { readerFromFiles, readerFromKubeconfig, readerFromText } from './library/readers.ts';
export { simulate } from './library/simulated-cluster.ts';
export { diagnosisJson } from './report/diagnosis/diagnosis-json.ts';
export { scanJson } from './report/diagnosis/scan-json.ts';
export type { Simulation, SimulationOptions } from './library/simulated-cluster.ts';
export type { KubeconfigOptions, OpenReader } from './library/readers.ts';
export type { ClusterReader, ListRead, Read, Scope } from './model/cluster-reader.ts';
export type { Cause, Diagnosis, Evidence, ScanResult } from './model/diagnosis.ts';
export type { KubeObject, ObjectRef } from './model/kube-object.ts';
export type { Rule } from './model/rule.ts';
