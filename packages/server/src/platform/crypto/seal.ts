import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Envelope encryption of secrets at rest. Every item has its own data key, wrapped by a master key,
 * so master keys rotate without touching the items. The purpose of an item is authenticated: a
 * moved item does not open.
 */
export type Sealer = {
  seal(plain: Uint8Array | string, belongsTo: string): string
  open(sealedText: string, belongsTo: string): Buffer
  /** The same item under the current master key; unchanged if it is already. */
  rewrap(sealedText: string, belongsTo: string): string
  /** True if the master key with this name is configured. Sealed text is `v1.<name>.<…>.<…>`. */
  knows(name: string): boolean
  /** A derived key for one use, equal in every process; it changes with the current master key. */
  derive(use: string): Buffer
  /** The derived keys of all master keys, the current one first: for lookups during a rotation. */
  deriveAll(use: string): Buffer[]
}

const version = 'v1'
const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** The first key seals; all keys open. */
export function createSealer(masterKeys: readonly Buffer[]): Sealer {
  const [current] = masterKeys
  if (!current) throw new Error('A sealer needs a master key')
  const byName = new Map(masterKeys.map((key) => [nameOf(key), key]))

  const unwrap = (name: string, wrapped: string, belongsTo: string) => {
    const master = byName.get(name)
    if (!master) throw new SealError(`its master key ${name} is not configured`)
    return decrypt(master, wrapped, `key of ${belongsTo}`)
  }
  const join = (key: Buffer, belongsTo: string, content: string) =>
    [version, nameOf(current), encrypt(current, key, `key of ${belongsTo}`), content].join('.')

  return {
    seal(plain, belongsTo) {
      const key = randomBytes(32)
      return join(key, belongsTo, encrypt(key, plain, belongsTo))
    },
    open(sealedText, belongsTo) {
      const { name, wrapped, content } = split(sealedText)
      return decrypt(unwrap(name, wrapped, belongsTo), content, belongsTo)
    },
    rewrap(sealedText, belongsTo) {
      const { name, wrapped, content } = split(sealedText)
      if (name === nameOf(current)) return sealedText
      return join(unwrap(name, wrapped, belongsTo), belongsTo, content)
    },
    knows: (name) => byName.has(name),
    derive: (use) => deriveFrom(current, use),
    deriveAll: (use) => masterKeys.map((key) => deriveFrom(key, use)),
  }
}

const deriveFrom = (master: Buffer, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', `key for ${use}`, 32))

/** Identifies a master key without revealing it. */
const nameOf = (key: Buffer): string =>
  createHash('sha256').update('master key name').update(key).digest('hex').slice(0, 8)

function split(sealedText: string) {
  const [form, name, wrapped, content] = sealedText.split('.')
  if (form !== version || !name || !wrapped || !content) throw new SealError('its form is unknown')
  return { name, wrapped, content }
}

function encrypt(key: Buffer, plain: Uint8Array | string, context: string): string {
  const iv = randomBytes(ivBytes)
  const encryption = createCipheriv(cipher, key, iv).setAAD(Buffer.from(context))
  const body = [encryption.update(plain), encryption.final()]
  return Buffer.concat([iv, ...body, encryption.getAuthTag()]).toString('base64url')
}

function decrypt(key: Buffer, text: string, context: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  try {
    const decryption = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([
      decryption.update(bytes.subarray(ivBytes, -tagBytes)),
      decryption.final(),
    ])
  } catch {
    throw new SealError('it was changed or belongs elsewhere')
  }
}

/** The message never contains the sealed text. */
export class SealError extends Error {
  override readonly name = 'SealError'
  constructor(reason: string) {
    super(`A sealed item does not open: ${reason}.`)
  }
}
