import { pictureThemes } from '@emojid/core'
import { type Ground, isColour } from './pictures.ts'
import { pictureTexts as texts } from './texts.ts'

const firstColour = '#5b2bd9'

type Props = { ground: Ground; onChange: (ground: Ground) => void }

/** The background of the pictures: a theme or a custom color. */
export const GroundChoice = ({ ground, onChange }: Props) => (
  <fieldset>
    <legend className="mb-2 font-semibold">{texts.ground}</legend>
    <div className="flex flex-wrap gap-2">
      <Choice text={texts.own} isChosen={ground === ''} onChoose={() => onChange('')} />
      {Object.entries(pictureThemes).map(([theme, colour]) => (
        <Choice
          key={theme}
          text={texts.themes[theme] ?? theme}
          colour={colour}
          isChosen={ground === theme}
          onChoose={() => onChange(theme)}
        />
      ))}
      <Choice
        text={texts.custom}
        isChosen={isColour(ground)}
        onChoose={() => onChange(firstColour)}
      />
      {isColour(ground) ? (
        <label className="flex min-h-11 items-center gap-2">
          <span className="sr-only">{texts.colour}</span>
          <input
            type="color"
            value={ground}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
            className="h-11 w-16 rounded-field border border-line bg-card p-1"
          />
        </label>
      ) : null}
    </div>
  </fieldset>
)

type ChoiceProps = { text: string; colour?: string; isChosen: boolean; onChoose: () => void }

const Choice = ({ text, colour, isChosen, onChoose }: ChoiceProps) => (
  <label className="flex min-h-11 cursor-pointer items-center gap-2 rounded-field border border-line px-3 font-medium has-checked:border-main has-checked:bg-tint">
    <input
      type="radio"
      name="ground"
      checked={isChosen}
      onChange={onChoose}
      className="size-4 accent-main"
    />
    {colour ? (
      <svg aria-hidden="true" viewBox="0 0 20 20" className="size-5">
        <circle cx="10" cy="10" r="9" fill={colour} stroke="currentColor" strokeOpacity="0.3" />
      </svg>
    ) : null}
    {text}
  </label>
)
