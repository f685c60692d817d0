import type { Database } from '../../../tables.ts'
import type { AllFigures } from './schema.ts'

export type Options = { db: Database; now: () => Date }

export type Deps = { loadFigures: () => Promise<AllFigures> }
