import type { Log } from '../../../platform/log/log.ts'
import type { Database } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Limits } from './limits.ts'

export type Options = { db: Database; audit: Audit; log: Log; now: () => Date }

/** Reads a part that is not in the database. */
export type ReadPart = (caller: Principal) => Promise<readonly object[]>

export type Deps = Options & { limits: Limits; remoteParts: Map<string, ReadPart> }
