/** A second factor with its code, or a recent sign-in. */
export type Proof = { provider: string } | 'sign_in'

type Question = { proof: Proof; settle: (isGiven: boolean) => void }

let open: Question | undefined
let pendingAnswer: Promise<boolean> | undefined
const watchers = new Set<() => void>()

function change(question: Question | undefined): void {
  open = question
  for (const watcher of watchers) watcher()
}

/** Resolves to true once the proof is accepted. Concurrent requests share one prompt. */
export function askForProof(proof: Proof): Promise<boolean> {
  pendingAnswer ??= new Promise<boolean>((resolve) => change({ proof, settle: resolve })).finally(
    () => {
      pendingAnswer = undefined
      change(undefined)
    },
  )
  return pendingAnswer
}

/** The proof that a refusal asks for. */
export function proofFor(
  status: number,
  { code, provider }: { code?: string; provider?: string | undefined },
): Proof | undefined {
  if (status === 424 && provider) return { provider }
  return status === 403 && code === 'old_login' ? 'sign_in' : undefined
}

/** For `useSyncExternalStore`. */
export const codeQuestion = {
  subscribe(watcher: () => void) {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  },
  current: () => open,
}
