import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A secret that the demonstration generates on first use and reads afterwards. Of several processes
 * that start together, one writes and all read the same.
 */
export async function generatedSecret(
  dataDir: string,
  name: string,
  generate: () => string | Promise<string>,
): Promise<string> {
  const folder = join(dataDir, 'secrets')
  const file = join(folder, name)
  const contents = await readIfThere(file)
  // Generated first: a refusal leaves no folder behind.
  const secret = contents ?? (await generate())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  if (contents !== undefined) return contents
  try {
    await writeFile(file, secret, { flag: 'wx', mode: 0o600, flush: true } as object)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFile(file, 'utf8')
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}
