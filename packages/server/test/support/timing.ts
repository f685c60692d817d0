type Attempt = () => Promise<unknown>

/** How far apart two kinds of request are, asked in turn so that a busy machine slows both alike. */
export async function medianGap(pairs: number, first: Attempt, second: Attempt) {
  const times: [number[], number[]] = [[], []]
  for (let pair = 0; pair < pairs; pair++) {
    times[0].push(await msOf(first))
    times[1].push(await msOf(second))
  }
  const [one, other] = [median(times[0]), median(times[1])]
  const ms = Math.abs(one - other)
  return { ms, share: ms / Math.max(one, other) }
}

export async function msOf(attempt: Attempt): Promise<number> {
  const started = performance.now()
  await attempt()
  return performance.now() - started
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
