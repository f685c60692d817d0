import { lazy, Suspense, useSyncExternalStore } from 'react'
import { codeQuestion } from '../api/code-question.ts'

const CodeDialog = lazy(() => import('./code-dialog.tsx'))

/** Prompts for a code on any page. Loaded on the first prompt. */
export function CodePrompt() {
  const question = useSyncExternalStore(codeQuestion.subscribe, codeQuestion.current)
  return question ? (
    <Suspense fallback={null}>
      <CodeDialog provider={question.provider} settle={question.settle} />
    </Suspense>
  ) : null
}
