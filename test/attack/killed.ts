import { runToKill } from '../commands/run-to-kill.ts';

await runToKill(process.argv.slice(2));
