type Task = { run(): Promise<void>; refuse(): void }

type Limits = {
  /** The most tasks that wait for one party. */
  each: number
  all: number
  /** Makes the error of a rejected task. */
  refusal: () => Error
}

export type FairQueue = {
  run<Result>(party: string, work: () => Promise<Result>): Promise<Result>
}

/**
 * Runs one task at a time, round-robin over the parties, so that a flood of one party delays only its
 * own tasks. A full queue drops the newest task of the party with the most.
 */
export function createFairQueue({ each, all, refusal }: Limits): FairQueue {
  /** The first party is next. */
  const parties = new Map<string, Task[]>()
  let waiting = 0
  let isWorking = false

  const take = (party: string, from: 'first' | 'last'): Task | undefined => {
    const tasks = parties.get(party) ?? []
    const task = from === 'first' ? tasks.shift() : tasks.pop()
    parties.delete(party)
    if (tasks.length > 0) parties.set(party, tasks)
    waiting--
    return task
  }
  const work = async () => {
    isWorking = true
    for (let [party] = parties.keys(); party !== undefined; [party] = parties.keys()) {
      await take(party, 'first')?.run()
    }
    isWorking = false
  }
  /** Drops a task of a party that has more than `own` + 1. */
  const makeRoom = (own: number) => {
    const [most, tasks] = [...parties].reduce<[string, number]>(
      (found, [party, { length }]) => (length > found[1] ? [party, length] : found),
      ['', own + 1],
    )
    if (tasks === own + 1) throw refusal()
    take(most, 'last')?.refuse()
  }

  return {
    run(party, job) {
      return new Promise((resolve, reject) => {
        const own = parties.get(party) ?? []
        if (own.length >= each) throw refusal()
        if (waiting >= all) makeRoom(own.length)
        own.push({
          async run() {
            try {
              resolve(await job())
            } catch (error) {
              reject(error)
            }
          },
          refuse: () => reject(refusal()),
        })
        waiting++
        parties.set(party, own)
        if (!isWorking) void work()
      })
    },
  }
}
