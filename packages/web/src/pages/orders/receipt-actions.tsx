import { Link } from '@tanstack/react-router'
import type { Order } from '../../api/shop.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { ErrorOf, Notice } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import { resendReceipt } from './queries.ts'
import { receiptTexts as texts } from './texts.ts'

/** Prints or resends the receipt. */
export function ReceiptActions({ order }: { order: Order }) {
  const resend = useAction({ mutationFn: () => resendReceipt(order.id) })
  return (
    <div className="grid gap-3 print:hidden">
      <div className="flex flex-wrap gap-3">
        <Button look="second" onClick={() => window.print()}>
          {texts.print}
        </Button>
        {order.user.email ? (
          <Button look="second" isBusy={resend.isPending} onClick={() => resend.mutate()}>
            {texts.resend}
          </Button>
        ) : null}
        <Link to="/account/orders" className={buttonLook('quiet')}>
          {texts.all}
        </Link>
      </div>
      {resend.isSuccess ? <Notice>{texts.resent}</Notice> : null}
      <ErrorOf thrown={resend.error} />
    </div>
  )
}
