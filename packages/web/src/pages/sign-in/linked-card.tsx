import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../api/account.ts'
import type { UnrequestedLink } from '../../api/arrival.ts'
import { continueSignIn, type Progress } from '../../api/sign-in.ts'
import { Button } from '../../design/button.tsx'
import { Card, ErrorOf } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import { useSession } from '../../design/use-session.ts'
import { useTitle } from '../../design/use-title.ts'
import { texts } from './texts.ts'

type Props = {
  linked: UnrequestedLink
  onIn: (progress: Progress) => void
  onDeclined: () => void
}

/** Login CSRF: a link that this browser did not request needs a confirmation. */
export function LinkedCard({ linked, onIn, onDeclined }: Props) {
  const { linked: words, titles } = texts
  useTitle(titles.password)
  const isIn = useSession() === 'in'
  const { data } = useQuery({ ...accountQuery, enabled: isIn })
  const present = data?.user.email ?? data?.user.alternate_id
  const enter = useAction({ mutationFn: () => continueSignIn(linked.tokens), onSuccess: onIn })
  return (
    <Card className="mx-auto grid w-full max-w-md justify-items-start gap-4">
      <h1>{titles.password}</h1>
      <p className="wrap-anywhere">
        <span className="block text-soft">{words.text}</span>
        <strong className="text-xl">{linked.name}</strong>
      </p>
      <p className="wrap-anywhere text-soft">{present ? words.instead(present) : words.whose}</p>
      <ErrorOf thrown={enter.error} />
      <div className="flex flex-wrap gap-3">
        <Button isBusy={enter.isPending} onClick={() => enter.mutate()}>
          {words.yes}
        </Button>
        <Button look="quiet" onClick={onDeclined}>
          {words.no}
        </Button>
      </div>
    </Card>
  )
}
