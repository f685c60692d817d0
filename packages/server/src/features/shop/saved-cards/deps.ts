import type { CardGateway } from '../../../platform/payments/gateway.ts'
import type { Database } from '../../../tables.ts'

export type Deps = { db: Database; cards: CardGateway | undefined }
