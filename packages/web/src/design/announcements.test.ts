import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { announce, announcements } from './announcements.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})
const texts = () => announcements().map(({ text }) => text)

it('announcements of two actions that end together stay beside each other', () => {
  announce('Your page is saved.')
  vi.advanceTimersByTime(10)
  announce('Your pictures are ready.')
  vi.advanceTimersByTime(50)
  expect(texts()).toEqual(['Your page is saved.', 'Your pictures are ready.'])
  vi.advanceTimersByTime(5_949)
  expect(texts()).toEqual(['Your pictures are ready.'])
  vi.advanceTimersByTime(1)
  expect(texts()).toEqual([])
})

it('an announcement disappears and returns when it is repeated', () => {
  announce('Copied.')
  vi.advanceTimersByTime(50)
  announce('Copied.')
  expect(texts()).toEqual([])
  vi.advanceTimersByTime(50)
  expect(texts()).toEqual(['Copied.'])
})

it('at most three announcements are shown', () => {
  for (const text of ['One.', 'Two.', 'Three.', 'Four.']) announce(text)
  vi.advanceTimersByTime(50)
  expect(texts()).toEqual(['Two.', 'Three.', 'Four.'])
})
