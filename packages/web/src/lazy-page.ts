import { lazyRouteComponent } from '@tanstack/react-router'
import { offline } from './api/problem.ts'

/** The script that a browser could not load, where it names it. */
const scriptIn = (thrown: unknown): string | undefined =>
  /https?:\/\/\S+\.js$/.exec(String((thrown as Error | undefined)?.message))?.[0]

/** Browsers remember that a script could not be loaded, by its address: so it gets another one. */
const loadAnew = (script: string) => import(/* @vite-ignore */ `${script}?again=${Date.now()}`)

const ask = (address: string): Promise<Response | undefined> =>
  fetch(address, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)

/**
 * A page whose script is loaded when it is needed first. Without a connection that is said in place:
 * what the rest of the app holds stays. Only when a new version took the script's place, the router
 * loads everything anew, which is what it does about the browser's own error.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    // Then the script is not even tried, so that the browser has nothing to remember. What runs on
    // the same machine answers all the same.
    if (!navigator.onLine && !(await ask(window.location.href))) throw offline()
    return load().catch(async (thrown) => {
      const script = scriptIn(thrown)
      const answer = await ask(script ?? window.location.href)
      if (!answer || answer.status >= 500) throw offline()
      if (!script || !answer.ok) throw thrown
      return loadAnew(script) as ReturnType<typeof load>
    })
  }, name)
