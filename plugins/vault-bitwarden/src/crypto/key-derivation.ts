import { createHash, createHmac, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { vaultContentInvalidError } from '@agent-service/sdk/contracts/vault-connector'
import { argon2id, hash } from 'argon2'
import { vault } from '../connection/vault-name.js'
import type { SymmetricKey } from './encrypted-strings.js'

/** How an account's master key is derived, as its server says. */
export type KeyDerivation =
  | { readonly kind: 'pbkdf2'; readonly iterations: number }
  | { readonly kind: 'argon2id'; readonly iterations: number; readonly memoryMiB: number; readonly parallelism: number }

/** The most that a server may ask for: what Bitwarden's own settings permit, and less memory for servers of users. */
const maxPbkdf2Iterations = 2_000_000
const maxArgon2Iterations = 10
const maxParallelism = 16
export const maxUserMemoryMiB = 256
export const maxSystemMemoryMiB = 1_024

/** As it stands in an answer: 0 is PBKDF2, 1 Argon2id. @throws `vault_content_invalid` for one that is unknown or costs too much. */
export function readKeyDerivation(
  answer: { readonly [member in 'kind' | 'iterations' | 'memory' | 'parallelism']?: unknown },
  { isSystem }: { readonly isSystem: boolean },
): KeyDerivation {
  const iterations = numberOf(answer.iterations, 'iterations')
  if (answer.kind === 0) return { kind: 'pbkdf2', iterations: atMost(iterations, maxPbkdf2Iterations, 'iterations') }
  if (answer.kind !== 1) throw invalid('its key derivation is not known; PBKDF2 and Argon2id are')
  const maxMemory = isSystem ? maxSystemMemoryMiB : maxUserMemoryMiB
  return {
    kind: 'argon2id',
    iterations: atMost(iterations, maxArgon2Iterations, 'iterations'),
    memoryMiB: atMost(numberOf(answer.memory, 'memory'), maxMemory, 'MiB of memory'),
    parallelism: atMost(numberOf(answer.parallelism, 'parallelism'), maxParallelism, 'threads'),
  }
}

const invalid = (reason: string): Error => vaultContentInvalidError.create({ vault, reason })

function numberOf(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) throw invalid(`the ${what} of its key derivation is no number`)
  return value
}

function atMost(value: number, max: number, what: string): number {
  if (value > max)
    throw invalid(`its key derivation asks for ${value} ${what}, and ${max} are permitted; lower it in the settings of the account`)
  return value
}

/**
 * Derives the key that protects an account's own key. It runs beside the event loop and cannot be
 * stopped; {@link readKeyDerivation} bounds it to seconds.
 */
export async function deriveStretchedKey(password: string, salt: string, derivation: KeyDerivation): Promise<SymmetricKey> {
  const masterKey = await deriveMasterKey(password, salt, derivation)
  return Buffer.concat([expand(masterKey, 'enc'), expand(masterKey, 'mac')])
}

function deriveMasterKey(password: string, salt: string, derivation: KeyDerivation): Promise<Buffer> {
  if (derivation.kind === 'pbkdf2') return promisify(pbkdf2)(password, salt, derivation.iterations, 32, 'sha256')
  const { memoryMiB, iterations: timeCost, parallelism } = derivation
  const options = {
    type: argon2id,
    salt: createHash('sha256').update(salt).digest(),
    timeCost,
    memoryCost: memoryMiB * 1_024,
    parallelism,
  } as const
  return hash(password, { ...options, hashLength: 32, raw: true })
}

/** HKDF-Expand of 32 bytes, which is one block. */
const expand = (key: Uint8Array, information: string): Buffer =>
  createHmac('sha256', key).update(information).update(Uint8Array.of(1)).digest()
