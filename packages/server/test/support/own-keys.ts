import { createHash } from 'node:crypto'

/** A key that is the same in every run and looks random. */
const keyCalled = (name: string): Buffer => createHash('sha256').update(name).digest()

export const masterKey = keyCalled('master')
export const otherMasterKey = keyCalled('another master')
export const signingKey = keyCalled('signing')
export const mintSignerKey = keyCalled('mint signer')
