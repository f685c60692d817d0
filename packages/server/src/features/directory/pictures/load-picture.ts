import { assertNotSuspended } from '../emoji-ids/index.ts'
import type { Deps } from './deps.ts'
import * as pictures from './repository.ts'
import * as rules from './rules.ts'

export async function loadPicture({ db }: Deps, file: string) {
  const { sha256, format } = rules.readFileName(file)
  const picture = await pictures.findContent(db, sha256, format)
  if (!picture) throw rules.unknownPicture()
  assertNotSuspended(picture)
  return { content: picture.content, etag: `"${sha256}"`, type: rules.contentTypes[format] }
}
