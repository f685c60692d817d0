import type { World } from '../world.ts'

const width = 28
const everyMs = 100

/** A progress bar on a terminal; otherwise nothing. */
export function createProgress({ stderr }: Pick<World, 'stderr'>, total: number) {
  const start = Date.now()
  let drawnAt = 0
  const draw = (count: number) => {
    const share = total === 0 ? 1 : Math.min(1, count / total)
    const filledWidth = Math.round(share * width)
    const bar = '█'.repeat(filledWidth) + '░'.repeat(width - filledWidth)
    const perSecond = Math.round(count / Math.max(0.001, (Date.now() - start) / 1_000))
    const figures = `${count.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`
    stderr.write(`\r${bar} ${Math.floor(share * 100)} %  ${figures}  ${perSecond}/s\u001b[K`)
  }
  return {
    show(count: number) {
      if (!stderr.isTTY || Date.now() - drawnAt < everyMs) return
      drawnAt = Date.now()
      draw(count)
    },
    end(count: number) {
      if (!stderr.isTTY) return
      draw(count)
      stderr.write('\n')
    },
  }
}
