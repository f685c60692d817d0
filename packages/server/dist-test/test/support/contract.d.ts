/** Throws when an answer of the API breaks the shape that clients rely on. */
export declare function assertKeepsContract(answer: {
  method: string
  path: string
  status: number
  body: string
}): void
