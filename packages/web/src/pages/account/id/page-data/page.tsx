import { Card } from '../../../../design/feedback.tsx'
import { texts } from '../../../../texts/en.ts'
import { accountTexts } from '../../../../texts/en-account.ts'

export const IdPageDataPage = () => (
  <Card className="grid gap-2">
    <h2>{accountTexts.frame.idParts.page}</h2>
    <p className="text-soft">{texts.coming}</p>
  </Card>
)
