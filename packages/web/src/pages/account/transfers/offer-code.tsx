import { accountQuery } from '../../../api/account.ts'
import { giftLinks } from '../../../api/gift-links.ts'
import { asProblem } from '../../../api/problem.ts'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { useAction } from '../../../design/use-action.ts'
import { confirmByOffer, refreshTransfers } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.offerCode

/** The emailed code of an offer confirms the address, then accepts the offer without typing it again. */
export function OfferCode() {
  const { mutate, error, isPending } = useAction({
    mutationFn: async (code: string) => {
      const { id, recipient_id } = await confirmByOffer(code)
      giftLinks.keep({ transfer_id: id, user_id: recipient_id, is_new: true }, code)
      await queries.invalidateQueries(accountQuery)
    },
    onSuccess: () => {
      announce(texts.confirmed)
      refreshTransfers()
    },
  })
  return (
    <form
      className="grid justify-items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        mutate(valueIn(event.currentTarget, 'code'))
      }}
    >
      <Field
        label={texts.label}
        hint={texts.hint}
        name="code"
        required
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        problem={error ? asProblem(error).message : undefined}
      />
      <Button type="submit" look="second" isBusy={isPending}>
        {texts.action}
      </Button>
    </form>
  )
}
