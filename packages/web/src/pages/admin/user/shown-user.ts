import type { operations } from '../../../generated/api.ts'

export type ShownUser = operations['showUser']['responses'][200]['content']['application/json']
