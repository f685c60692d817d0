import type { operations } from '../../../generated/api.ts'

type NewKey = NonNullable<operations['createApiKey']['requestBody']>['content']['application/json']
export type Scope = NonNullable<NewKey['scopes']>[number]
