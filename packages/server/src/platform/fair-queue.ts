import { AsyncResource } from 'node:async_hooks'
import { shareOfProcess } from './processes.ts'

type Task = { run(): Promise<void>; refuse(): void; isWanted(): boolean }

type Limits = {
  /** The most tasks that wait for one party. */
  each: number
  all: number
  /** Makes the error of a rejected task. */
  refusal: () => Error
}

/** A party belongs to a group: parties of one group share the turns and the places of that group. */
type Party = { group: string; name: string }

export type FairQueue = {
  /** A task that is not wanted any more when its turn comes is rejected without a run. */
  run<Result>(party: Party, work: () => Promise<Result>, isWanted?: () => boolean): Promise<Result>
}

/** Tasks of parties, round-robin over the groups and within a group over its parties. */
export function createRounds<Task>() {
  /** The first group is next, and in it the first party. */
  const groups = new Map<string, Map<string, Task[]>>()
  return {
    groups,
    tasksOf: ({ group, name }: Party): readonly Task[] => groups.get(group)?.get(name) ?? [],
    add({ group, name }: Party, task: Task): void {
      const parties = groups.get(group) ?? new Map<string, Task[]>()
      const tasks = parties.get(name)
      if (tasks) tasks.push(task)
      else parties.set(name, [task])
      groups.set(group, parties)
    },
    take({ group, name }: Party, from: 'first' | 'last'): Task | undefined {
      const parties = groups.get(group) ?? new Map<string, Task[]>()
      const tasks = parties.get(name) ?? []
      const task = from === 'first' ? tasks.shift() : tasks.pop()
      // After its turn it goes to the end of the round.
      if (from === 'first' || tasks.length === 0) parties.delete(name)
      if (tasks.length > 0) parties.set(name, tasks)
      if (from === 'first' || parties.size === 0) groups.delete(group)
      if (parties.size > 0) groups.set(group, parties)
      return task
    },
    next(): Party | undefined {
      for (const [group, parties] of groups)
        for (const name of parties.keys()) return { group, name }
      return undefined
    },
  }
}

/**
 * Runs one task at a time, so that a flood of one party delays only its own tasks, and one group of
 * many parties only that group. A full queue drops the newest task of the largest group.
 */
export function createFairQueue({ refusal, ...limits }: Limits): FairQueue {
  const [each, all] = [shareOfProcess(limits.each), shareOfProcess(limits.all)]
  const rounds = createRounds<Task>()
  const { groups } = rounds
  let waitingCount = 0
  let isWorking = false

  const take = (party: Party, from: 'first' | 'last'): Task | undefined => {
    waitingCount--
    return rounds.take(party, from)
  }
  const work = async () => {
    isWorking = true
    for (let party = rounds.next(); party !== undefined; party = rounds.next()) {
      const task = take(party, 'first')
      if (task?.isWanted()) await task.run()
      else task?.refuse()
    }
    isWorking = false
  }
  const sizeOf = (parties: Map<string, Task[]> | undefined): number =>
    [...(parties?.values() ?? [])].reduce((sum, { length }) => sum + length, 0)
  /** Drops a task of a larger group, or else of a larger party. */
  const makeRoom = ({ group, name }: Party) => {
    const [largest, size] = mostOf([...groups].map(([one, parties]) => [one, sizeOf(parties)]))
    const chosenGroup = size > sizeOf(groups.get(group)) + 1 ? largest : group
    const parties = groups.get(chosenGroup) ?? new Map<string, Task[]>()
    const [most, tasks] = mostOf([...parties].map(([one, { length }]) => [one, length]))
    const own = rounds.tasksOf({ group, name }).length
    if (chosenGroup === group && tasks <= own + 1) throw refusal()
    take({ group: chosenGroup, name: most }, 'last')?.refuse()
  }

  return {
    run(party, job, isWanted = () => true) {
      // Another caller may have started the loop that runs it.
      const jobOfCaller = AsyncResource.bind(job)
      return new Promise((resolve, reject) => {
        if (rounds.tasksOf(party).length >= each) throw refusal()
        if (waitingCount >= all) makeRoom(party)
        rounds.add(party, {
          async run() {
            try {
              resolve(await jobOfCaller())
            } catch (error) {
              reject(error)
            }
          },
          refuse: () => reject(refusal()),
          isWanted,
        })
        waitingCount++
        if (!isWorking) void work()
      })
    },
  }
}

/** The last of those with the highest count. */
function mostOf(counted: [name: string, count: number][]): [name: string, count: number] {
  return counted.reduce((largest, one) => (one[1] >= largest[1] ? one : largest), ['', 0])
}
