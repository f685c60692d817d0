import { lazy, Suspense, useSyncExternalStore } from 'react'
import { codeQuestion } from '../api/code-question.ts'

const CodeDialog = lazy(() => import('./code-dialog.tsx'))
const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'))

/** Prompts for a code or a sign-in on any page. Loaded on the first prompt. */
export function CodePrompt() {
  const question = useSyncExternalStore(codeQuestion.subscribe, codeQuestion.current)
  if (!question) return null
  const { proof, settle } = question
  return (
    <Suspense fallback={null}>
      {proof === 'sign_in' ? (
        <SignInDialog settle={settle} />
      ) : (
        <CodeDialog provider={proof.provider} settle={settle} />
      )}
    </Suspense>
  )
}
