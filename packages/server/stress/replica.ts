// Two processes behind nginx on Debian's PostgreSQL with a streaming replica, out of the files in
// deploy/: npm run stress:replica, or shorter: npm run stress:replica -- PHASE_SECONDS=6 SOAK_SECONDS=60
// It needs apt-get install -y postgresql nginx, and ONLY=site,faults leaves the half hour of soaking out.
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
