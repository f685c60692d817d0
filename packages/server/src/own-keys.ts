import { randomBytes } from 'node:crypto'
import type { Config } from './config.ts'
import { createEthereumSigner } from './platform/crypto/ethereum.ts'
import { createKeyRing, type KeyRing } from './platform/crypto/key-ring.ts'
import { createSealer, type Sealer } from './platform/crypto/seal.ts'
import { masterKeysInUse } from './platform/database/sealed.ts'
import { generatedSecret } from './platform/secrets/generated.ts'
import type { Database } from './tables.ts'

// The demonstration makes its own keys; anywhere else the configuration has them.

/** Refuses to start beside things that it could never open, and makes no new key beside them. */
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
      `The database holds what a master key sealed that is not here (${names.join(', ')}): ` +
        'private keys of owners could not be used. Add that key to MASTER_KEY, or bring the ' +
        `folder DATA_DIR/secrets of the service that made the data to ${data_dir}/secrets.`,
    )
  }
}
