import { Badge } from '../../../../design/badge.tsx'
import { texts } from './texts.ts'

export const SuspendedBadge = () => <Badge tone="wrong">{texts.badge}</Badge>
