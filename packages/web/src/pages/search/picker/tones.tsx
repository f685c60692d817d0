import { displayFormat, type EmojiId, type SkinTone, skinTones } from '@emojid/core'
import { useId } from 'react'
import { texts } from './texts.ts'

type Props = { chosen: SkinTone | undefined; onChoose: (tone: SkinTone | undefined) => void }

export const withTone = (emoji: string, tone: SkinTone | undefined): string =>
  displayFormat(emoji as EmojiId, [tone])

/** The colors of the art; the first one has no tone. */
const swatches = [
  'bg-[#ffca28]',
  'bg-[#fadcbc]',
  'bg-[#e0bb95]',
  'bg-[#bf8f68]',
  'bg-[#9b643d]',
  'bg-[#594539]',
]

/** The skin tone for emojis that support one. */
export function Tones({ chosen, onChoose }: Props) {
  const name = useId()
  return (
    <fieldset className="flex items-center">
      <legend className="sr-only">{texts.tone}</legend>
      {[undefined, ...skinTones].map((tone, nth) => (
        <label
          key={tone ?? 'none'}
          title={texts.tones[nth]}
          className="grid size-9 cursor-pointer place-items-center rounded-full text-xl hover:bg-tint has-checked:bg-tint has-checked:ring-2 has-checked:ring-main has-focus-visible:outline-3 has-focus-visible:outline-main has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={tone === chosen}
            onChange={() => onChoose(tone)}
            aria-label={texts.tones[nth]}
          />
          <span aria-hidden="true" className={`size-6 rounded-full ${swatches[nth]}`} />
        </label>
      ))}
    </fieldset>
  )
}
