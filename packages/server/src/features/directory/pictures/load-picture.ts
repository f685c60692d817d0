import type { Range } from '../../../platform/http/unchanging.ts'
import { assertNotSuspended } from '../emoji-ids/index.ts'
import type { Deps } from './deps.ts'
import * as pictures from './repository.ts'
import * as rules from './rules.ts'

/** A picture whose content is read in parts, as far as a client needs it. */
export async function loadPicture({ db }: Deps, file: string) {
  const name = rules.readFileName(file)
  const picture = await pictures.findPicture(db, name.sha256, name.format)
  if (!picture) throw rules.unknownPicture()
  assertNotSuspended(picture)
  const read = async (range: Range): Promise<Buffer> => {
    const part = await pictures.findPart(db, name, range)
    // The owner replaced it: the length was promised already, so the connection is cut off.
    if (!part) throw rules.unknownPicture()
    return part.content
  }
  const { length } = picture
  return { length, read, etag: `"${name.sha256}"`, type: rules.contentTypes[name.format] }
}
