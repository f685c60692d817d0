import { describe, expect, it } from 'vitest'
import { createBeats } from './beats.ts'
import { createFloors } from './floors.ts'

function stage() {
  let now = 0
  const beats = createBeats(1_000, () => now)
  beats.begin()
  const pass = (ms: number) => {
    now += ms
  }
  return { beats, floors: createFloors(beats.next), pass }
}

describe('a beat', () => {
  it('a beat is known by its send time for a limited period', () => {
    const { beats, pass } = stage()
    pass(600)
    const second = beats.begin()
    pass(600)
    beats.begin()

    expect([beats.sentAt(1), beats.sentAt(second), beats.sentAt(99)]).toEqual([
      undefined,
      600,
      undefined,
    ])
  })

  it('a beat does not cover changes made while it is being sent', () => {
    const { beats, floors } = stage()
    const underWay = beats.begin()
    floors.forget('a')
    const after = beats.begin()

    expect([underWay, after].map((beat) => floors.allows('a', beat))).toEqual([false, true])
  })
})

describe('a floor', () => {
  it('applies to its own key only', () => {
    const { beats, floors } = stage()
    const beat = beats.begin()
    floors.clear()
    const cleared = beats.begin()
    floors.forget('a')

    expect(floors.allows('b', beat)).toBe(false)
    expect([floors.allows('a', cleared), floors.allows('b', cleared)]).toEqual([false, true])
  })

  it('still applies to a replica that lags behind the one that reached it', () => {
    const { beats, floors } = stage()
    const behind = beats.begin()
    floors.forget('a')
    const ahead = beats.begin()
    floors.reached(ahead)

    expect([floors.allows('a', behind), floors.allows('a', ahead)]).toEqual([false, true])
  })

  it('applies to all keys once too many keys have one', () => {
    const { beats, floors } = stage()
    const before = beats.begin()
    for (let n = 0; n <= 10_000; n++) floors.forget(`key ${n}`)
    const after = beats.begin()

    expect([floors.allows('another', before), floors.allows('another', after)]).toEqual([
      false,
      true,
    ])
  })
})
