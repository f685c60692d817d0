/** A prompt for a second factor code. */
type Question = { provider: string; settle: (isGiven: boolean) => void }

let open: Question | undefined
let pendingAnswer: Promise<boolean> | undefined
const watchers = new Set<() => void>()

function change(question: Question | undefined): void {
  open = question
  for (const watcher of watchers) watcher()
}

/** Resolves to true once a code is accepted. Concurrent requests share one prompt. */
export function askForCode(provider: string): Promise<boolean> {
  pendingAnswer ??= new Promise<boolean>((resolve) =>
    change({ provider, settle: resolve }),
  ).finally(() => {
    pendingAnswer = undefined
    change(undefined)
  })
  return pendingAnswer
}

/** For `useSyncExternalStore`. */
export const codeQuestion = {
  subscribe(watcher: () => void) {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  },
  current: () => open,
}
