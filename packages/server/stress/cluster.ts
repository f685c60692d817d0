// PostgreSQL under Patroni on three machines, from the files in deploy/cluster/, and every fault of
// docs/cluster.md under load; then unsafe setups in which the checks must fail.
// npm run stress:cluster (as root, eleven minutes, with Debian's packages of docs/cluster.md)
// One part: npm run stress:cluster -- ONLY=faults FAULTS=switchover,calm
import { measureControls, measureFaults } from './cluster-faults.ts'
import { measureRestore } from './cluster-restore.ts'
import { runParts, textOf } from './parts.ts'

const namesOf = (option: string) => textOf(option).split(',').filter(Boolean)

await runParts('cluster', {
  faults: () => measureFaults(namesOf('FAULTS')),
  restore: measureRestore,
  controls: () => measureControls(namesOf('CONTROLS')),
})
