// Two processes behind nginx on Debian's PostgreSQL with a streaming replica, set up from the files
// in deploy/.
// npm run stress:replica
// Shorter: npm run stress:replica -- PHASE_SECONDS=6 SOAK_SECONDS=60
// Needs apt-get install -y postgresql nginx. ONLY=site,faults skips the half hour of soaking.
import { runParts, sizeOf } from './parts.ts'
import { measureFaults } from './replica-faults.ts'
import { measureSite } from './replica-site.ts'
import { measureSoak } from './replica-soak.ts'

const phaseSeconds = sizeOf('PHASE_SECONDS', 15)
const soakSeconds = sizeOf('SOAK_SECONDS', 1_800)

await runParts('replica', {
  site: measureSite,
  faults: () => measureFaults(phaseSeconds),
  soak: () => measureSoak(soakSeconds),
})
