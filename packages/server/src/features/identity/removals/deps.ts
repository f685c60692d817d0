import type { Accounts } from '../accounts/index.ts'

export type Deps = { accounts: Accounts; now: () => Date }
