import { createCipheriv, createHash } from 'node:crypto'
import { argon2d, argon2id } from 'hash-wasm'
import type { DerivedKey } from '../protocol.js'
import type { KeyParameters } from './key-parameters.js'

const zeros = Buffer.alloc(16 * 10_000)

/**
 * The key of a file, from the hash of its credentials. `known` is used if it is for the same
 * credentials and parameters. Ends only with the thread.
 */
export async function deriveKey(credentials: Uint8Array, parameters: KeyParameters, known: DerivedKey | undefined): Promise<DerivedKey> {
  const fingerprint = fingerprintOf(credentials, parameters)
  if (known?.fingerprint === fingerprint) return known
  return { fingerprint, key: await derive(credentials, parameters) }
}

function fingerprintOf(credentials: Uint8Array, parameters: KeyParameters): string {
  const { kind } = parameters
  const rest =
    parameters.kind === 'aes'
      ? [Buffer.from(parameters.seed).toString('hex'), parameters.rounds]
      : [Buffer.from(parameters.salt).toString('hex'), parameters.memoryKiB, parameters.iterations, parameters.parallelism]
  return createHash('sha256')
    .update(credentials)
    .update(JSON.stringify([kind, ...rest]))
    .digest('hex')
}

async function derive(credentials: Uint8Array, parameters: KeyParameters): Promise<Uint8Array> {
  if (parameters.kind === 'aes') return deriveWithAes(credentials, parameters)
  const { salt, memoryKiB: memorySize, iterations, parallelism } = parameters
  const hash = parameters.kind === 'argon2d' ? argon2d : argon2id
  return hash({ password: credentials, salt, memorySize, iterations, parallelism, hashLength: 32, outputType: 'binary' })
}

/**
 * AES in ECB mode, over and over, then SHA-256. CBC over zeros with the text as the initial vector
 * is the same, block after block.
 */
function deriveWithAes(credentials: Uint8Array, { seed, rounds }: { readonly seed: Uint8Array; readonly rounds: number }): Uint8Array {
  const halves = [credentials.subarray(0, 16), credentials.subarray(16, 32)].map((half) => {
    const cipher = createCipheriv('aes-256-cbc', seed, half)
    let last: Uint8Array = half
    for (let left = rounds; left > 0; left -= 10_000) last = cipher.update(zeros.subarray(0, 16 * Math.min(left, 10_000))).subarray(-16)
    return last
  })
  return createHash('sha256').update(Buffer.concat(halves)).digest()
}
