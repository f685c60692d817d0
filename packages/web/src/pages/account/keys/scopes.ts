import type { BodyOf } from '../../../api/shapes.ts'

type NewKey = BodyOf<'createApiKey'>
export type Scope = NonNullable<NewKey['scopes']>[number]
