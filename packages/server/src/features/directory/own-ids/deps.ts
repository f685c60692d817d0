import type { Database } from '../../../tables.ts'
import type { Limits } from './limits.ts'

export type Options = { db: Database }

export type Deps = Options & { limits: Limits }
