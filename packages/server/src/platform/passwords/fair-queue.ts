type Task = { run(): Promise<void>; refuse(): void }

type Limits = {
  /** How many may wait for one party. */
  each: number
  all: number
  /** What those are told who find no room. */
  refusal: () => Error
}

export type FairQueue = {
  run<Result>(party: string, work: () => Promise<Result>): Promise<Result>
}

/**
 * One after the other, and the parties in turn: whoever asks for much waits behind themselves. Where
 * all places are taken, the party that has most of them gives one up.
 */
export function createFairQueue({ each, all, refusal }: Limits): FairQueue {
  /** In the order in which it is their turn. */
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
  /** Makes room for somebody who has `own` places already, if another party has more. */
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
