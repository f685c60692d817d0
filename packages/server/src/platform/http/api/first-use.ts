import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** A shape takes up to 10 ms, so other requests get most of the time between two. */
const pauseMs = 20

export type FirstUse = ReturnType<typeof createFirstUse>

/**
 * Compiling the shapes of two hundred routes takes 0.8 s, most of a start. So each shape is compiled
 * on first use, or in a pause after the start, so that few requests wait for it.
 */
export function createFirstUse() {
  const waiting = new Set<() => unknown>()
  return {
    onFirstUse<Compiled extends object>(compile: () => Compiled): () => Compiled {
      let compiled: Compiled | undefined
      const get = () => {
        waiting.delete(get)
        compiled ??= compile()
        return compiled
      }
      waiting.add(get)
      return get
    },
    /** Call before the service listens. */
    compileInPauses(app: FastifyInstance): void {
      const end = new AbortController()
      app.addHook('onListen', async () => void compileAll(end.signal).catch(() => {}))
      app.addHook('preClose', async () => end.abort())
    },
  }

  async function compileAll(signal: AbortSignal): Promise<void> {
    for (const compile of waiting) {
      await sleep(pauseMs, undefined, { signal, ref: false })
      compile()
    }
  }
}
