import kdbxweb, { type KdbxHeader, type VarDictionary } from 'kdbxweb'
import type { KeyCostLimits } from '../protocol.js'
import { invalid } from './problem.js'

/** The key derivation that a header asks for. */
export type KeyParameters =
  | { readonly kind: 'aes'; readonly seed: Uint8Array; readonly rounds: number }
  | {
      readonly kind: 'argon2d' | 'argon2id'
      readonly salt: Uint8Array
      readonly memoryKiB: number
      readonly iterations: number
      readonly parallelism: number
    }

const maxParallelism = 64

/**
 * Reads what the header asks for, and refuses it when it would cost more than the limits. Nothing
 * is derived. @throws `vault_content_invalid`.
 */
export function readKeyParameters(header: KdbxHeader, limits: KeyCostLimits): KeyParameters {
  const parameters = header.versionMajor === 3 ? parametersOfVersion3(header) : parametersOfVersion4(header)
  if (parameters.kind === 'aes') {
    if (parameters.rounds > limits.maxRounds) throw tooCostly(`${parameters.rounds} rounds`, `${limits.maxRounds}`)
    return parameters
  }
  const { memoryKiB, iterations, parallelism } = parameters
  if (memoryKiB > limits.maxMemoryKiB) throw tooCostly(`${memoryKiB} KiB of memory`, `${limits.maxMemoryKiB} KiB`)
  if (memoryKiB * iterations > limits.maxMemoryPassesKiB)
    throw tooCostly(`${iterations} passes over ${memoryKiB} KiB`, `${Math.floor(limits.maxMemoryPassesKiB / memoryKiB)} passes`)
  if (parallelism > maxParallelism) throw tooCostly(`${parallelism} threads`, `${maxParallelism}`)
  if (memoryKiB < 8 * parallelism) throw invalid('its key derivation has less memory than Argon2 needs')
  return parameters
}

const tooCostly = (asked: string, most: string): Error =>
  invalid(`its key derivation asks for ${asked}, and ${most} are permitted; lower it in the security settings of the database`)

function parametersOfVersion3({ transformSeed, keyEncryptionRounds }: KdbxHeader): KeyParameters {
  if (transformSeed?.byteLength !== 32 || keyEncryptionRounds === undefined) throw invalid('its header lacks the key derivation')
  return { kind: 'aes', seed: new Uint8Array(transformSeed), rounds: keyEncryptionRounds }
}

function parametersOfVersion4({ kdfParameters }: KdbxHeader): KeyParameters {
  if (kdfParameters === undefined) throw invalid('its header lacks the key derivation')
  const { KdfId } = kdbxweb.Consts
  const id = Buffer.from(bytesOf(kdfParameters, '$UUID', 16)).toString('base64')
  if (id === KdfId.Aes) return { kind: 'aes', seed: bytesOf(kdfParameters, 'S', 32), rounds: numberOf(kdfParameters, 'R') }
  if (id !== KdfId.Argon2d && id !== KdfId.Argon2id) throw invalid('its key derivation is not known; AES-KDF, Argon2d and Argon2id are')
  if (numberOf(kdfParameters, 'V') !== 0x13) throw invalid('its key derivation is not Argon2 version 1.3')
  if (kdfParameters.get('K') !== undefined || kdfParameters.get('A') !== undefined)
    throw invalid('its key derivation has a secret or data of its own, which no program writes')
  const memory = numberOf(kdfParameters, 'M')
  if (memory % 1_024 !== 0) throw invalid('the memory of its key derivation is not in whole KiB')
  return {
    kind: id === KdfId.Argon2d ? 'argon2d' : 'argon2id',
    salt: bytesOf(kdfParameters, 'S', 32),
    memoryKiB: memory / 1_024,
    iterations: numberOf(kdfParameters, 'I'),
    parallelism: numberOf(kdfParameters, 'P'),
  }
}

function bytesOf(parameters: VarDictionary, name: string, length: number): Uint8Array {
  const value = parameters.get(name)
  if (!(value instanceof ArrayBuffer) || value.byteLength !== length) throw invalid(`“${name}” of its key derivation is damaged`)
  return new Uint8Array(value)
}

/** A number from 1 up. Above 2⁵³ − 1, 2⁵³: more than any limit. */
function numberOf(parameters: VarDictionary, name: string): number {
  const value = parameters.get(name)
  if (value instanceof kdbxweb.Int64 && value.hi >= 0x20_0000) return 2 ** 53
  const number = value instanceof kdbxweb.Int64 ? value.value : value
  if (typeof number !== 'number' || number < 1) throw invalid(`“${name}” of its key derivation is damaged`)
  return number
}
