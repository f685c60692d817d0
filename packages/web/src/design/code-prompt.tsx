import { lazy, Suspense, useSyncExternalStore } from 'react'
import { codeQuestion } from '../api/code-question.ts'

const CodeDialog = lazy(() => import('./code-dialog.tsx'))

/** Asks for a code in place, whatever page needs one. Loaded when somebody is asked first. */
export function CodePrompt() {
  const question = useSyncExternalStore(codeQuestion.subscribe, codeQuestion.current)
  return question ? (
    <Suspense fallback={null}>
      <CodeDialog provider={question.provider} settle={question.settle} />
    </Suspense>
  ) : null
}
