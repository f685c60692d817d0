import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Creates a folder for this process, and removes those of processes that were killed. */
export function newRunFolder(parent) {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^emojid-run-(\d+)-/.exec(name) ?? []
    if (pid && !isRunning(Number(pid))) remove(join(parent, name))
  }
  const folder = mkdtempSync(join(parent, `emojid-run-${process.pid}-`))
  // For root, PostgreSQL runs as another user, with folders of its own in it.
  chmodSync(folder, 0o711)
  return folder
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // It belongs to another user.
  }
}
