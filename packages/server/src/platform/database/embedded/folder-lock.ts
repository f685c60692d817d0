import { rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Locks a folder for the lifetime of this process by a socket, which the system closes when the
 * process ends. A connecting process receives the id of the holder.
 */
export async function lockFolder(folder: string): Promise<{ release(): Promise<void> }> {
  const { dev, ino } = await stat(folder)
  const name = `emojid-${dev}-${ino}`
  const isLinux = process.platform === 'linux'
  // Linux has abstract sockets, which leave no file.
  const path = isLinux ? `\0${name}` : join(tmpdir(), `${name}.lock`)
  for (;;) {
    const server = createServer((socket) => socket.on('error', () => {}).end(String(process.pid)))
    if (await tryListen(server, path)) {
      server.unref()
      return { release: () => new Promise((resolve) => server.close(() => resolve())) }
    }
    const holder = await askHolder(path)
    if (holder !== undefined) throw new FolderInUseError(folder, holder)
    if (!isLinux) await rm(path, { force: true })
  }
}

function tryListen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(path, () => resolve(true))
  })
}

/** `undefined` if no process holds the lock. */
function askHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(path)
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(undefined)
    })
    socket.on('close', () => resolve(text || 'unknown'))
  })
}

class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
  constructor(folder: string, holder: string) {
    super(
      `DATA_DIR ${folder} is already in use by a running service (process ${holder}). ` +
        'Stop that one first, or set DATA_DIR to another folder.',
    )
  }
}
