import { fileURLToPath } from 'node:url'
import { displayFormat, type EmojiId, emojiAlphabet, sheetPlace, skinTones } from '@emojid/core'
import sharp from 'sharp'
import { expect, it } from 'vitest'

const art = fileURLToPath(new URL('../art/', import.meta.url))
const cell = 64
const pictureSize = 62

const toned = skinTones.flatMap((tone) =>
  emojiAlphabet
    .map((emoji) => displayFormat(emoji as EmojiId, [tone]))
    .filter((emoji) => emoji.includes(tone)),
)
const pointsOf = (emoji: string) =>
  [...emoji.replace('\uFE0F', '')].map((part) => part.codePointAt(0)?.toString(16)).join('-')

/** The colours of an emoji on its sheet, on white. */
async function onSheet(emoji: string) {
  const place = sheetPlace(emoji)
  if (!place) throw new Error(`${emoji} is on no sheet`)
  const { sheet, column, row } = place
  const area = { left: column * cell + 1, top: row * cell + 1 }
  return sharp(`${art}sheets/${sheet}.webp`)
    .extract({ ...area, width: pictureSize, height: pictureSize })
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer()
}

const drawEmoji = (emoji: string) =>
  sharp(`${art}${pointsOf(emoji)}.svg`)
    .resize(pictureSize, pictureSize)
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer()

const distance = (one: Buffer, other: Buffer) =>
  one.reduce((sum, value, nth) => sum + Math.abs(value - (other[nth] ?? 0)), 0) / one.length

it('every emoji has a place on a sheet, with and without a skin tone', () => {
  const places = [...emojiAlphabet, ...toned].map((emoji) => JSON.stringify(sheetPlace(emoji)))
  expect(new Set(places).size).toBe(places.length)
  expect(places).not.toContain(undefined)
  expect(sheetPlace('🦩')).toBeUndefined()
})

it('the place of an emoji shows this emoji', async () => {
  const all = [...emojiAlphabet, ...toned]
  const sheetOf = (emoji: string) => sheetPlace(emoji)?.sheet
  const bySheet = new Map(
    all.map((emoji) => [sheetOf(emoji), all.filter((one) => sheetOf(one) === sheetOf(emoji))]),
  )
  expect(bySheet.size).toBe(13)
  for (const [sheet, emojis] of bySheet) {
    const [first = '', last = ''] = [emojis[0], emojis.at(-1)]
    for (const [emoji, other] of [
      [first, last],
      [last, first],
    ] as const) {
      const shownColours = await onSheet(emoji)
      const [own, foreign] = [await drawEmoji(emoji), await drawEmoji(other)]
      expect(distance(shownColours, own) * 4, `${emoji} on ${sheet}`).toBeLessThan(
        distance(shownColours, foreign),
      )
    }
  }
})
