import { defineError } from '@agent-service/sdk'

/** Neither the wanted group nor `primary` exists. */
export const modelGroupUnknownError = defineError<{ readonly group: string; readonly known: readonly string[] }>({
  code: 'model_group_unknown',
  status: 409,
  title: 'No such model group',
  message: ({ group, known }) =>
    `There is no model group “${group}”${known.length === 0 ? ', nor any other: set one up under models, or give the service a key such as OPENAI_API_KEY.' : `. Known are: ${known.join(', ')}.`}`,
})

/** The key of a connection is a reference to a variable that is not set, or there is none at all. */
export const credentialMissingError = defineError<{ readonly connection: string; readonly variable?: string }>({
  code: 'credential_missing',
  status: 409,
  title: 'Credential missing',
  message: ({ connection, variable }) =>
    variable === undefined
      ? `The connection “${connection}” has no key. Set providers.${connection}.api_key.`
      : `The connection “${connection}” needs the environment variable ${variable}, which is not set.`,
})

/** A group cannot be called as it is configured. */
export const modelGroupUnusableError = defineError<{ readonly group: string; readonly reason: string }>({
  code: 'model_group_unusable',
  status: 409,
  title: 'Model group cannot be called',
  message: ({ group, reason }) => `The model group “${group}” cannot be called: ${reason}`,
})

/** The files of the catalogue are damaged. */
export const catalogueInvalidError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'catalogue_invalid',
  status: 500,
  title: 'Catalogue invalid',
  message: ({ path, reason }) => `The file ${path} of the shared resources cannot be used: ${reason}. Restore it from the installation.`,
})
