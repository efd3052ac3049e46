import { Type } from '@agent-service/sdk'

/** The name of a brand in the catalogue, or in `provider` of a connection. */
export const brandName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$',
  description: 'A brand of the catalogue, or a custom one.',
})
export const credentialLabel = Type.String({
  pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
  maxLength: 100,
  description: 'Display name.',
})
/** A key, as it is stored. */
export const apiKey = Type.String({ pattern: '^[\\x21-\\x7e]+$', maxLength: 8_000, description: 'Stored encrypted and never shown again.' })
