import type { Lootbox } from '../../../api/shop.ts'
import { Badge, type Tone } from '../../../design/badge.tsx'
import { texts } from './texts.ts'

const tones: Record<Lootbox['status'], Tone> = {
  Draft: 'plain',
  Available: 'good',
  Owned: 'main',
  Used: 'plain',
}

export const BoxStatus = ({ status }: Pick<Lootbox, 'status'>) => (
  <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>
)

/** The name of the owner of a box, if it has one. */
export const ownerOf = ({ owner, owner_email, owner_id }: Lootbox): string | undefined =>
  owner?.email ?? owner_email ?? owner_id ?? undefined
