import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export const formatVersion = 1
export const manifestFile = 'manifest.json'

export type TableDump = {
  schema: string
  name: string
  columns: string[]
  rows: number
  file: string
  sha256: string
}

/** Written last: a folder without it is an unfinished backup. */
export type Manifest = {
  format: typeof formatVersion
  made_at: string
  migrations: { name: string; sha256: string }[]
  job_migration: number
  /** The tables in the order of foreign keys. */
  tables: TableDump[]
  sequences: { schema: string; name: string; last_value: string }[]
}

/** Reads a backup's manifest and verifies the checksum of every file. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => {
    throw new Error(`${folder} contains no finished backup: ${manifestFile} is missing.`)
  })
  let manifest: Manifest
  try {
    manifest = JSON.parse(text)
  } catch {
    throw new Error(`${manifestFile} of the backup was changed or truncated.`)
  }
  if (manifest.format !== formatVersion) {
    throw new Error(
      `${folder} is a backup of format ${manifest.format}; this version reads ${formatVersion}.`,
    )
  }
  for (const { file, sha256 } of manifest.tables) {
    if ((await hashFile(join(folder, file))) !== sha256) {
      throw new Error(`${file} of the backup was changed or truncated.`)
    }
  }
  return manifest
}

async function hashFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
  } catch {
    return undefined
  }
  return hash.digest('hex')
}
