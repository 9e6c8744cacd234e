/**
 * Test files that go through very many situations, and why each is one. `npm run sweep` runs these and nothing else; `npm run check` and
 * `npm test` run the others. CI runs both. A file belongs here only where its time is its work: make it fast first.
 */
export const SWEEPS: Readonly<Record<string, string>> = {
  'test/situations.test.ts': 'diagnoses every scenario once, without its seeds, cure and hidden facts: the quick half of the next one',
  'test/scenarios.test.ts': 'plays every scenario with three seeds, hides each kind of fact in turn, and drops each clause of each rule',
  'test/playbooks.test.ts': 'runs every playbook on every scenario that leads to it, and on those that look alike',
  'test/fixes.test.ts': 'runs the printed fix of every scenario with kubectl against its served cluster',
  'test/failed-reads.test.ts': 'lets the reads of every scenario fail, one after another and by kind',
  'test/failed-answers.test.ts': 'lets the answers of a served cluster fail on the wire in every form, and waits for time limits',
  'test/failed-command-answers.test.ts': 'lets each request of every command fail in every form',
  'test/expressions.test.ts': 'gives every regular expression of the sources 100,000 characters of its worst text',
  'test/fuzz.test.ts': 'reads mutated texts and files',
  'test/drill/every-scenario.test.ts': 'makes a drill of every scenario and cures it',
  'test/drill/drills.test.ts': 'plays every drill to its end',
  'test/drill/runbooks.test.ts': 'runs the playbook of each drill',
  'test/server/robustness.test.ts': 'attacks a server and waits until it is well again',
  'test/server/large-bodies.test.ts': 'sends bodies of up to the size limit in every format, and waits for a server under load',
  'test/commands/runbook-faults.test.ts': 'fails each request of a run in turn',
  'test/commands/runbook-kills.e2e.test.ts': 'kills a run at many moments and resumes it, each time in a new process',
  'test/commands/drill-secrecy.test.ts': 'looks for the fault in everything that a drill shows',
  'test/simulator/fast-forward.test.ts': 'plays half an hour and more twice: with and without fast-forward',
  'test/simulator/determinism.test.ts': 'plays large clusters twice',
  'test/clusters/transcript/many-lines.test.ts': 'reads 30,000 lines of each beginning that a reader knows',
  'test/clusters/memory.e2e.test.ts': 'measures the memory of a process that reads inputs of 100 MB',
  'test/build.e2e.test.ts': 'builds the program three times: elsewhere, again, and under a program that runs',
  'test/cli/machine-limits.e2e.test.ts': 'starts the program thirty times on a full disk, without a home, and with few open files',
  'test/conformance/reading.e2e.test.ts': 'asks a served cluster with hundreds of commands of the real kubectl',
  'test/conformance/writing.e2e.test.ts': 'changes a served cluster with hundreds of commands of the real kubectl',
  'test/conformance/operating.e2e.test.ts': 'operates a served cluster with hundreds of commands of the real kubectl',
  'test/attack/attack.e2e.test.ts': 'attacks every input of podcheck with thousands of mutations, in processes of their own',
  'test/mutate/mutate.e2e.test.ts': 'starts Vitest for each mutant',
};
