export type KeptAnswer = { etag: string; text: string }

const longestKept = 200_000

/**
 * Responses by address with least recently used eviction. Entries are used only after revalidation.
 */
export function createEtagCache(capacity: number) {
  const kept = new Map<string, KeptAnswer>()
  return {
    get(url: string): KeptAnswer | undefined {
      const answer = kept.get(url)
      if (answer) {
        kept.delete(url)
        kept.set(url, answer)
      }
      return answer
    },
    keep(url: string, etag: string | null, text: string): void {
      kept.delete(url)
      if (!etag || capacity === 0 || text.length > longestKept) return
      kept.set(url, { etag, text })
      for (const oldest of kept.keys()) {
        if (kept.size <= capacity) break
        kept.delete(oldest)
      }
    },
    forget: (url: string) => void kept.delete(url),
    size: () => kept.size,
  }
}
