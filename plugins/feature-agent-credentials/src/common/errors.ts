import { defineError } from '@agent-service/sdk'

/** The name is taken among those of the user, or of the agent. */
export const nameTakenError = defineError<{ readonly what: string; readonly name: string }>({
  code: 'credential_name_taken',
  status: 409,
  title: 'Name taken',
  message: ({ what, name }) => `There is ${what} “${name}” already. Choose another name, or change that one.`,
})

/** A connection comes from the configuration of the service. */
export const vaultManagedError = defineError<{ readonly title: string }>({
  code: 'vault_managed',
  status: 403,
  title: 'Managed by the service',
  message: ({ title }) =>
    `The connection “${title}” comes from the configuration of the service. Only its operator can change it, in the section “vault”.`,
})

/** No plugin has the connector that a connection names. */
export const connectorUnknownError = defineError<{ readonly connector: string; readonly known: readonly string[] }>({
  code: 'vault_connector_unknown',
  status: 422,
  title: 'No such vault connector',
  message: ({ connector, known }) =>
    `No active plugin connects to “${connector}”. ${known.length === 0 ? 'None is active' : `Active are: ${known.join(', ')}`}.`,
})

/** One use wants more than it can have. */
export const tooMuchOpenedError = defineError<{ readonly maxFields: number; readonly maxBytes: number }>({
  code: 'credentials_too_large',
  status: 422,
  title: 'Credentials too large',
  message: ({ maxFields, maxBytes }) =>
    `The credentials of one use may have ${maxFields} fields and ${maxBytes / 1_024} KiB of values together. Name fewer of them, or grant items with fewer fields.`,
})
