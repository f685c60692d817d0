import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export const memoryFolder = '/dev/shm'

/** Creates a folder for this process, and removes those of processes that were killed. */
export function newRunFolder(parent) {
  removeLeftFolders(parent)
  const folder = mkdtempSync(join(parent, `emojid-run-${process.pid}-`))
  // For root, PostgreSQL runs as another user, with folders of its own in it.
  chmodSync(folder, 0o711)
  return folder
}

/** Removes the folders of processes that were killed. */
export function removeLeftFolders(parent) {
  if (!existsSync(parent)) return
  for (const name of readdirSync(parent)) {
    const [, pid] = /^emojid-run-(\d+)-/.exec(name) ?? []
    if (pid && !isRunning(Number(pid))) remove(join(parent, name))
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Retries while a process that is about to end still writes to the folder. */
export function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  } catch {
    // It belongs to another user.
  }
}
