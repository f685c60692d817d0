import type { Generated } from 'kysely'

/** Something that only some users have. */
export type FeaturesTable = { id: Generated<string>; code: string }
export type UserFeaturesTable = { user_id: string; feature_id: string }
