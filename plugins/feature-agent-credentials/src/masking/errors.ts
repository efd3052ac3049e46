import { defineError } from '@agent-service/sdk'
import { maxSecretLength, minSecretLength } from './matcher/pieces.js'

/** A value cannot be kept out of what an agent prints, so that no agent gets it. */
export const secretNotMaskableError = defineError<{ readonly credential: string; readonly length: number }>({
  code: 'secret_not_maskable',
  status: 422,
  title: 'Secret cannot be masked',
  message: ({ credential, length }) =>
    `A secret of the credential “${credential}” has ${length} characters. It must have ${minSecretLength} to ${maxSecretLength}, and at least ${minSecretLength} that are not spaces, quotation marks or dashes: others cannot be masked in what an agent prints. Choose another one, or store the field as not secret.`,
})

/** So many secrets at once that not all of them could be masked, so that the agent gets none. */
export const tooManySecretsError = defineError<{ readonly max: number; readonly maxCharacters: number }>({
  code: 'secrets_not_maskable',
  status: 422,
  title: 'Too many secrets at once',
  message: ({ max, maxCharacters }) =>
    `The credentials of one use have more secrets than can be masked in what an agent prints: ${max}, of ${maxCharacters} characters together. Name fewer of them in one call.`,
})
