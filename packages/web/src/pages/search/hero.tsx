import { artOf } from '../../design/emoji-id.tsx'
import { texts } from './texts.ts'

/** Decoration around the title on wide screens. */
const floating = [
  { emoji: '🦊', place: 'left-0 top-0 w-20 -rotate-12' },
  { emoji: '🍕', place: 'left-24 top-32 w-14 rotate-6' },
  { emoji: '🚀', place: 'right-0 top-0 w-20 rotate-12' },
  { emoji: '🌈', place: 'right-24 top-32 w-16 -rotate-6' },
]

export const Hero = () => (
  <div className="relative mx-auto grid w-full justify-items-center gap-3 py-4 text-center sm:py-8">
    <div aria-hidden="true" className="hidden lg:block">
      {floating.map(({ emoji, place }) => (
        <img
          key={emoji}
          src={artOf(emoji)}
          alt=""
          draggable={false}
          className={`absolute drop-shadow-lg ${place}`}
        />
      ))}
    </div>
    <h1 className="max-w-3xl sm:text-6xl">{texts.title}</h1>
    <p className="max-w-xl text-balance text-lg text-soft">{texts.intro}</p>
  </div>
)
