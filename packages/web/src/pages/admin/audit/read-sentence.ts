/** A piece of a sentence: plain words, or the name of an object. */
type Piece = { words: string } | { object: string }

/** The pieces of a sentence, or undefined if one of its necessary objects is missing. */
export function readSentence(
  sentence: string,
  isKnown: (object: string) => boolean,
): Piece[] | undefined {
  const parts = sentence.split(/(\[[^\]]*\])/)
  const pieces: Piece[] = []
  for (const part of parts) {
    const isOptional = part.startsWith('[')
    const read = piecesOf(isOptional ? part.slice(1, -1) : part)
    const isComplete = read.every((piece) => !('object' in piece) || isKnown(piece.object))
    if (isComplete) pieces.push(...read)
    else if (!isOptional) return undefined
  }
  return pieces
}

const piecesOf = (text: string): Piece[] =>
  text
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => (piece.startsWith('{') ? { object: piece.slice(1, -1) } : { words: piece }))
