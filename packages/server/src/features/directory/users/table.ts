import type { Generated } from 'kysely'

/** A feature that is switched on for some users. */
export type FeaturesTable = { id: Generated<string>; code: string }
export type UserFeaturesTable = { user_id: string; feature_id: string }
