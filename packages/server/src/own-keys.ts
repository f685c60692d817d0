import { randomBytes } from 'node:crypto'
import type { Config } from './config.ts'
import { createEthereumSigner } from './platform/crypto/ethereum.ts'
import { createKeyRing, type KeyRing } from './platform/crypto/key-ring.ts'
import { createSealer, type Sealer } from './platform/crypto/seal.ts'
import { masterKeysInUse } from './platform/database/sealed.ts'
import { generatedSecret } from './platform/secrets/generated.ts'
import type { Database } from './tables.ts'

// The demonstration generates its keys; otherwise the configuration provides them.

/**
 * Refuses to start if the database holds items sealed by a missing master key, and generates no key
 * then.
 */
export async function openSealer(config: Config, db: Database): Promise<Sealer> {
  const { master_keys, data_dir } = config
  const inUse = await masterKeysInUse(db)
  const generate = () => {
    if (inUse.length > 0) throw new LostMasterKeyError(inUse, config)
    return newKey()
  }
  const sealer = createSealer(master_keys ?? [await readKey(data_dir, 'master-key', generate)])
  const unknown = inUse.filter((name) => !sealer.knows(name))
  if (unknown.length > 0) throw new LostMasterKeyError(unknown, config)
  return sealer
}

export async function openKeyRing({ signing_keys, data_dir }: Config): Promise<KeyRing> {
  return createKeyRing(signing_keys ?? [await readKey(data_dir, 'signing-key', newKey)])
}

export async function openMintSigner({ mint_signer_key, data_dir }: Config) {
  return createEthereumSigner(
    mint_signer_key ?? (await readKey(data_dir, 'mint-signer-key', newKey)),
  )
}

const newKey = () => randomBytes(32).toString('base64')

async function readKey(dataDir: string, name: string, generate: () => string): Promise<Buffer> {
  return Buffer.from(await generatedSecret(dataDir, name, generate), 'base64')
}

class LostMasterKeyError extends Error {
  override readonly name = 'LostMasterKeyError'
  constructor(names: readonly string[], { data_dir }: Config) {
    super(
      `The database holds items sealed by a master key that is missing here (${names.join(', ')}): ` +
        'the private keys of owners cannot be opened. Add that key to MASTER_KEY, or copy ' +
        `DATA_DIR/secrets of the original service to ${data_dir}/secrets.`,
    )
  }
}
