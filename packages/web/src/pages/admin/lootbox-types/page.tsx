import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const LootboxTypesPage = () => <Coming title={adminTexts.frame.titles.lootboxTypes} />
