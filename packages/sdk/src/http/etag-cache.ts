export type KeptAnswer = { etag: string; text: string }

const longestKept = 200_000

/**
 * Responses by address with least recently used eviction. Entries are used only after revalidation.
 */
export function createEtagCache(capacity: number) {
  const answers = new Map<string, KeptAnswer>()
  return {
    get(url: string): KeptAnswer | undefined {
      const answer = answers.get(url)
      if (answer) {
        answers.delete(url)
        answers.set(url, answer)
      }
      return answer
    },
    keep(url: string, etag: string | null, text: string): void {
      answers.delete(url)
      if (!etag || capacity === 0 || text.length > longestKept) return
      answers.set(url, { etag, text })
      for (const oldest of answers.keys()) {
        if (answers.size <= capacity) break
        answers.delete(oldest)
      }
    },
    forget: (url: string) => void answers.delete(url),
    size: () => answers.size,
  }
}
