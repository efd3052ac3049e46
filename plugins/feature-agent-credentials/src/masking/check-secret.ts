import { secretNotMaskableError } from './errors.js'
import type { MaskedSecret } from './masked-secrets.js'
import { maxSecretLength, minSecretLength } from './matcher/pieces.js'
import { bytesOf } from './matcher/units.js'
import { inView } from './matcher/views.js'

/** @throws `secret_not_maskable` if the value is too short or too long to be masked. */
export function checkSecret({ credential, value }: MaskedSecret): void {
  if (value.length > maxSecretLength || value.replaceAll(ignored, '').length < minSecretLength || countedBytes(value) < minSecretLength)
    throw secretNotMaskableError.create({ credential, length: value.length })
}

/** What may stand between the characters of a secret in a text without hiding it. */
const ignored = /[\s\p{C}'"`\\,-]/gu

/** What is left of it when it is compared: dots and dashes of all kinds, and marks above letters, are not. */
const countedBytes = (value: string): number => inView(bytesOf(value, true), 'signs').length
