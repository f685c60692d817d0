// biome-ignore lint/suspicious/noExplicitAny: any list of arguments is bound as it is
type UseCase<Deps> = (deps: Deps, ...args: any[]) => unknown

type Bound<Deps, UseCases extends Record<string, UseCase<Deps>>> = {
  [Name in keyof UseCases]: UseCases[Name] extends (deps: Deps, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never
}

/** Gives every use case of a feature its dependencies; callers pass only the arguments. */
export function bindUseCases<Deps, UseCases extends Record<string, UseCase<Deps>>>(
  deps: Deps,
  useCases: UseCases,
): Bound<Deps, UseCases> {
  const bound = Object.entries(useCases).map(([name, useCase]) => [
    name,
    (...args: unknown[]) => useCase(deps, ...args),
  ])
  return Object.fromEntries(bound) as Bound<Deps, UseCases>
}
