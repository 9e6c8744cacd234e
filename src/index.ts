// What a program that uses podcheck as a library gets; the command line is `main.ts`.
export { loadRules } from './catalog/load-rules.ts';
export { shippedRules } from './catalog/shipped.ts';
export { collect } from './collect/collect.ts';
export { diagnose } from './engine/diagnose.ts';
export { scan } from './engine/scan.ts';
export { diagnosisJson } from './report/diagnosis-json.ts';
export { scanJson } from './report/scan-json.ts';
export type { ClusterReader } from './model/cluster-reader.ts';
export type { Diagnosis, Evidence, ScanResult } from './model/diagnosis.ts';
export type { Rule } from './model/rule.ts';
