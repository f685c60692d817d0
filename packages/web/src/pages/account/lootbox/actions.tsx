import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ensureInCart } from '../../../api/cart-items.ts'
import type { Lootbox } from '../../../api/lootboxes.ts'
import { cartQuery } from '../../../api/shop.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { useAction } from '../../../design/use-action.ts'
import { lootboxQuery, openLootbox } from './queries.ts'
import { texts } from './texts.ts'

export function BuyButton({ box }: { box: Lootbox }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const addMutation = useAction({
    mutationFn: () => ensureInCart({ lootbox_id: box.id }),
    onSuccess: (cart) => {
      queries.setQueryData(cartQuery.queryKey, cart)
      return navigate({ to: '/cart' })
    },
  })
  return (
    <div className="grid justify-items-start gap-3">
      <Button isBusy={addMutation.isPending} onClick={() => addMutation.mutate()}>
        {texts.buy}
      </Button>
      <ErrorOf thrown={addMutation.error} />
    </div>
  )
}

type OpenButtonProps = { box: Lootbox; onOpened: () => void }

export function OpenButton({ box, onOpened }: OpenButtonProps) {
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  return (
    <div>
      <Button onClick={() => setAsking(true)} className="sm:min-w-52">
        {texts.open}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={texts.openTitle}
          text={texts.openText}
          action={texts.openAction}
          run={() => openLootbox(box.id)}
          onDone={(openedBox) => {
            onOpened()
            queries.setQueryData(lootboxQuery(box.id).queryKey, openedBox)
            announce(texts.opened(openedBox.yats.length))
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}
