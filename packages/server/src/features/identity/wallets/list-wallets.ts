import type { Deps } from './deps.ts'
import * as wallets from './repository.ts'

export const listWallets = ({ db }: Deps, user_id: string) => wallets.findOfUser(db, user_id)
