// biome-ignore lint/suspicious/noExplicitAny: any list of arguments is bound as it is
type UseCase<Deps> = (deps: Deps, ...args: any[]) => unknown

type Bound<Deps, UseCases extends Record<string, UseCase<Deps>>> = {
  [Name in keyof UseCases]: UseCases[Name] extends (deps: Deps, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never
}

/** Binds single use cases to their dependencies: for subscriptions and for generic functions. */
export const bindTo =
  <Deps>(deps: Deps) =>
  <Args extends unknown[], Result>(useCase: (deps: Deps, ...args: Args) => Result) =>
  (...args: Args): Result =>
    useCase(deps, ...args)

/** Binds every use case of a feature to its dependencies; callers pass only the arguments. */
export function bindUseCases<Deps, UseCases extends Record<string, UseCase<Deps>>>(
  deps: Deps,
  useCases: UseCases,
): Bound<Deps, UseCases> {
  const bind = bindTo(deps)
  const bound = Object.entries(useCases).map(([name, useCase]) => [name, bind(useCase)])
  return Object.fromEntries(bound) as Bound<Deps, UseCases>
}
