import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { offline } from './api/problem.ts'

/** The URL of the script that failed to load, if the error names it. */
const scriptIn = (error: unknown): string | undefined =>
  /https?:\/\/\S+\.js$/.exec(String((error as Error | undefined)?.message))?.[0]

/** Browsers cache a failed import by URL, so the retry uses another URL. */
const reloadScript = (script: string) => import(/* @vite-ignore */ `${script}?again=${Date.now()}`)

const ask = (address: string): Promise<Response | undefined> =>
  fetch(address, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)

/** The arguments of `lazyPage`. */
export type LazyPage<Name extends string> = Parameters<typeof lazyPage<Name>>

/**
 * Loads the script of a page on first use. A network error shows in place and keeps the rest of the
 * app. Only after a deployment, when the script is gone, does the router reload the page; it detects
 * that by the browser's own error.
 */
export const lazyPage = <Name extends string>(
  load: () => Promise<Record<NoInfer<Name>, RouteComponent>>,
  name: Name,
): RouteComponent =>
  lazyRouteComponent(async () => {
    // Offline: do not try the script, so that the browser caches no failure. A server on the same
    // machine answers anyway.
    if (!navigator.onLine && !(await ask(window.location.href))) throw offline()
    return load().catch(async (error) => {
      const script = scriptIn(error)
      const answer = await ask(script ?? window.location.href)
      if (!answer || answer.status >= 500) throw offline()
      if (!script || !answer.ok) throw error
      return reloadScript(script) as ReturnType<typeof load>
    })
  }, name) as RouteComponent
