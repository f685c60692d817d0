type Options<Value> = { load: () => Promise<Value>; freshMs: number; now: () => Date }

/** One value that is loaded at most once per `freshMs`. Concurrent callers share a load. */
export function createSharedValue<Value>({ load, freshMs, now }: Options<Value>) {
  let current: { value: Promise<Value>; until: number } | undefined
  return (): Promise<Value> => {
    const at = now().getTime()
    if (current && at < current.until) return current.value
    const loading = { value: load(), until: at + freshMs }
    current = loading
    // The next caller retries a failed load.
    loading.value.catch(() => {
      if (current === loading) current = undefined
    })
    return loading.value
  }
}
