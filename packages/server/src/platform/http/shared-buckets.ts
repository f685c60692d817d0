import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The state of one bucket, in a file in memory that the processes of a machine share. */
export type SharedBucket = {
  /** Undefined if no process used the bucket lately. */
  read(): { rest: number; at: number } | undefined
  write(rest: number, at: number, fullAt: number): void
}

/** A bucket is four doubles: a hash, its rest, its time, and the time when it is full again. */
const bucketBytes = 32
/**
 * The bucket of a set that is full first makes room: a full one says no more than a missing one. A
 * client with many networks cannot use cheap limits to empty the counters of slow ones. The file has
 * 8 MB.
 */
const [setCount, bucketsPerSet] = [32_768, 8]
const setBytes = bucketsPerSet * bucketBytes
/** A secret: with chosen hashes a client could spend from the bucket of another network. */
const seedBytes = 16
const firstSet = 64

/** Creates the file without a name, so that nothing of it remains. */
export function createBucketsFile(): number {
  try {
    const folder = makeFolder()
    const fd = openSync(join(folder, 'buckets'), 'wx+', 0o600)
    rmSync(folder, { recursive: true })
    // All of it, so that a full disk ends the start, and no request later.
    const bytes = Buffer.alloc(firstSet + setCount * setBytes)
    randomBytes(seedBytes).copy(bytes)
    writeFileSync(fd, bytes)
    return fd
  } catch (cause) {
    throw new Error('PROCESSES above 1 needs 8 MB in /dev/shm or TMPDIR, for rate limits.', {
      cause,
    })
  }
}

function makeFolder(): string {
  try {
    return mkdtempSync('/dev/shm/emojid-')
  } catch {
    return mkdtempSync(join(tmpdir(), 'emojid-'))
  }
}

/**
 * Reading and writing are two steps, without a lock: of two processes that take from one bucket in
 * the same microseconds, one may take for free.
 */
export function openSharedBuckets(fd: number): (key: string) => SharedBucket {
  const seed = Buffer.alloc(seedBytes)
  readSync(fd, seed, 0, seedBytes, 0)
  const values = new Float64Array(setBytes / 8)
  const bytes = Buffer.from(values.buffer)
  return (key) => {
    const digest = createHash('sha256').update(seed).update(key).digest()
    // 48 bits are a whole number, and 0 is an unused place.
    const name = 1 + digest.readUIntBE(0, 6)
    const position = firstSet + (digest.readUInt32BE(6) % setCount) * setBytes
    let place = 0
    return {
      read() {
        values.fill(0)
        readSync(fd, bytes, 0, setBytes, position)
        place = 0
        for (let at = 0; at < values.length; at += 4) {
          if (values[at] === name) {
            place = at
            return { rest: values[at + 1] as number, at: values[at + 2] as number }
          }
          if ((values[at + 3] as number) < (values[place + 3] as number)) place = at
        }
        return undefined
      },
      write(rest, at, fullAt) {
        values.set([name, rest, at, fullAt], place)
        writeSync(fd, bytes, place * 8, bucketBytes, position + place * 8)
      },
    }
  }
}
