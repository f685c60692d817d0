import { asProblem } from '../../../api/problem.ts'
import { mailLink } from '../../../api/profile.ts'
import { Button } from '../../../design/button.tsx'
import { ErrorOf, Notice } from '../../../design/feedback.tsx'
import { useAction } from '../../../design/use-action.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.password

type Props = {
  thrown: unknown
  email: string | null
  /** Fields that show their own errors. */
  shownBy: readonly string[]
}

/** An error; if a fresh sign-in link is required, a button that emails one. */
export function LinkNeeded({ thrown, email, shownBy }: Props) {
  const mailMutation = useAction({
    mutationFn: (to: string) => mailLink(to, '/account/profile'),
  })
  if (!thrown || !email || asProblem(thrown).code !== 'missing_link') {
    return <ErrorOf thrown={thrown} shownBy={shownBy} />
  }
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-field bg-tint p-4">
      <p>{texts.linkText}</p>
      {mailMutation.isSuccess ? (
        <Notice>{texts.mailed(email)}</Notice>
      ) : (
        <Button
          look="second"
          isBusy={mailMutation.isPending}
          onClick={() => mailMutation.mutate(email)}
        >
          {texts.mailLink}
        </Button>
      )}
      <ErrorOf thrown={mailMutation.error} />
    </div>
  )
}
