import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    title: 'Pick emojis',
    loading: 'Loading the emojis …',
    tone: 'Skin tone',
    tones: ['Yellow', 'Light', 'Medium light', 'Medium', 'Medium dark', 'Dark'],
    groups: {
      smileys: 'Smileys',
      people: 'People',
      animals: 'Nature',
      food: 'Food',
      travel: 'Travel',
      activities: 'Play',
      objects: 'Objects',
      symbols: 'Symbols',
    },
    groupsLabel: 'Groups of emojis',
    found: (word: string) => `Emojis for “${word}”`,
    nothing: 'No match. Try another word, or clear the field to see all emojis.',
    hint: 'Move with the arrow keys, Enter adds.',
  },
})
