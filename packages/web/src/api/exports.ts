import type { paths } from '../generated/api.ts'
import { api } from './client.ts'
import { offline, Problem } from './problem.ts'

/** The CSV export of a list, with the filters that the list shows. */
export type ListExport = {
  path: Extract<keyof paths, `${string}/export` | `${string}/csv`>
  /** The file name, without its ending. */
  name: string
  /** The id in the path, for a list of one thing. */
  id?: string
  filters?: object
}

/** A part has at most 5,000 rows. A larger file does not open in spreadsheets. */
const mostParts = 20

/** Loads the parts of an export one after another. `isCut`: more rows match than a file may have. */
export async function loadExport(list: ListExport): Promise<{ text: string; isCut: boolean }> {
  const parts: string[] = []
  let page: number | undefined = 0
  while (page !== undefined && parts.length < mostParts) {
    const part = await loadPart(list, page)
    parts.push(part.text)
    page = part.next
  }
  return { text: parts.join(''), isCut: page !== undefined }
}

async function loadPart({ path, id = '', filters = {} }: ListExport, page: number) {
  // All exports have the same shape; this one stands for them.
  const answer = api.GET(path as '/users/export', {
    params: { path: { id } as never, query: { ...filters, page } },
    parseAs: 'text',
  })
  const {
    data = '',
    error,
    response,
  } = await answer.catch((error) => {
    throw error instanceof Problem ? error : offline()
  })
  if (!response.ok) throw new Problem(response.status, readBody(error))
  const next = response.headers.get('x-next-page')
  return { text: String(data), next: next === null ? undefined : Number(next) }
}

/** Errors arrive as text here. */
function readBody(error: unknown): object {
  try {
    return typeof error === 'string' ? JSON.parse(error) : ((error ?? {}) as object)
  } catch {
    return {}
  }
}
