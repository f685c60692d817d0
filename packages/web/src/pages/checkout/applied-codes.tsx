import type { Order } from '../../api/shop.ts'
import { announce } from '../../design/announcements.ts'
import { Button } from '../../design/button.tsx'
import { ErrorOf } from '../../design/feedback.tsx'
import { focusContent } from '../../design/focus-content.ts'
import { Money } from '../../design/money.tsx'
import { texts } from './texts.ts'
import { useRemoveCode } from './use-checkout.ts'

/** The codes of the order with their discounts. */
export function AppliedCodes({ order }: { order: Order }) {
  const remove = useRemoveCode()
  const codes = order.applied_codes ?? []
  return (
    <>
      {codes.length > 0 ? (
        <ul aria-label={texts.codes} className="grid gap-1">
          {codes.map(({ code_id, name, discount_in_cents }) => (
            <li key={code_id} className="flex flex-wrap items-center justify-between gap-x-4">
              <span className="font-semibold wrap-anywhere">{name}</span>
              <span className="-mr-3 ml-auto flex items-center gap-2 text-good">
                <Money cents={-discount_in_cents} />
                {order.payment_under_way ? null : (
                  <Button
                    look="quiet"
                    isBusy={remove.isPending && remove.variables === code_id}
                    onClick={() =>
                      remove.mutate(code_id, {
                        onSuccess: () => {
                          announce(texts.codeRemoved(name))
                          // The pressed button is unmounted.
                          focusContent()
                        },
                      })
                    }
                  >
                    {texts.removeCode}
                    <span className="sr-only"> {name}</span>
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      <ErrorOf thrown={remove.error} />
    </>
  )
}
