import { expect, it } from 'vitest'
import { readSentence } from './read-sentence.ts'
import { sentences } from './sentences.ts'
import { eventTexts } from './texts.ts'

const known =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name)

it('a sentence names the objects of an event, and leaves out a part without its object', () => {
  const sentence = 'suspended {ids}[ of {person}]'
  expect(readSentence(sentence, known('ids', 'person'))).toEqual([
    { words: 'suspended ' },
    { object: 'ids' },
    { words: ' of ' },
    { object: 'person' },
  ])
  expect(readSentence(sentence, known('ids'))).toEqual([{ words: 'suspended ' }, { object: 'ids' }])
  expect(readSentence(sentence, known('person'))).toBeUndefined()
})

it('there are sentences of known events only', () => {
  expect(Object.keys(sentences).filter((event) => !(event in eventTexts))).toEqual([])
})
