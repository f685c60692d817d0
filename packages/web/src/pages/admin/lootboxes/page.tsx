import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const LootboxesPage = () => <Coming title={adminTexts.frame.sections.lootboxes} />
