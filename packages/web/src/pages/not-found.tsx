import { Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Problem } from '../api/problem.ts'
import { Button, buttonLook } from '../design/button.tsx'
import { ErrorOf } from '../design/feedback.tsx'
import { useAction } from '../design/use-action.ts'
import { texts } from './texts.ts'

export const NotFound = () => (
  <div className="grid justify-items-start gap-4">
    <h1>{texts.notFound.title}</h1>
    <p>{texts.notFound.text}</p>
    <Link to="/" className={buttonLook()}>
      {texts.notFound.home}
    </Link>
  </div>
)

/** An error page that can retry. */
export function ErrorPage({ error }: { error: unknown }) {
  const router = useRouter()
  const secondMutation = useAction({ mutationFn: () => router.invalidate() })
  const isOffline = error instanceof Problem
  useEffect(() => {
    if (!isOffline) return
    const retry = () => void router.invalidate()
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [isOffline, router])
  return (
    <div className="grid justify-items-start gap-4">
      <h1>{isOffline ? texts.broken.notLoaded : texts.broken.title}</h1>
      {isOffline ? <ErrorOf thrown={error} /> : <p>{texts.broken.text}</p>}
      <Button isBusy={secondMutation.isPending} onClick={() => secondMutation.mutate()}>
        {texts.broken.again}
      </Button>
    </div>
  )
}
