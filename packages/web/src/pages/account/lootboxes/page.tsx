import { accountTexts } from '../../../texts/en-account.ts'
import { Coming } from '../../coming.tsx'

export const LootboxesPage = () => <Coming title={accountTexts.frame.sections.lootboxes} />
