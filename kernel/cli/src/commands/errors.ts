import { defineError } from '@agent-service/sdk'

/** No service answers at the address. */
export const serviceUnreachableError = defineError<{ readonly url: string; readonly reason: string }>({
  code: 'service_unreachable',
  status: 503,
  title: 'Service unreachable',
  message: ({ url, reason }) =>
    `No service answers at ${url} (${reason}). Start it with “agent-service start”, or name another address with --url.`,
})

/** What answers at the address leads elsewhere, where no password and no token is sent. */
export const serviceRedirectsError = defineError<{ readonly url: string; readonly target: string }>({
  code: 'service_redirects',
  status: 502,
  title: 'Another address',
  message: ({ url, target }) =>
    `What answers at ${url} leads to ${target}. Nothing was sent there. If that is the service, name its address with --url or AGENT_SERVICE_URL.`,
})

/** The service answered with a problem. */
export const serviceProblemError = defineError<{ readonly status: number; readonly code: string; readonly detail: string }>({
  code: 'service_problem',
  status: 502,
  title: 'The service refused',
  message: ({ detail, code, status }) => `${detail} (${code}, ${status})`,
})

/** The data folder has no service. */
export const serviceDataMissingError = defineError<{ readonly folder: string; readonly database: string }>({
  code: 'service_data_missing',
  status: 404,
  title: 'No service here',
  message: ({ folder, database }) =>
    `There is no service in ${folder}: ${database} does not exist or is empty. Run the command where the service is started, or name its data folder with SERVICE_SERVER_DATA_DIR.`,
})

/** There is nothing that a backup could be of, or it is the wrong service. */
export const backupWithoutAccountsError = defineError<{ readonly place: string }>({
  code: 'backup_without_accounts',
  status: 409,
  title: 'Nothing to back up',
  message: ({ place }) =>
    `The service ${place} has no account, so there is nothing to back up. If yours is another one, name its data folder with SERVICE_SERVER_DATA_DIR or, while it runs, its address with --url.`,
})

/** No service answers at the address that was named. No other one is backed up in its place. */
export const backupServiceUnreachableError = defineError<{ readonly reason: string }>({
  code: 'backup_service_unreachable',
  status: 503,
  title: 'Service unreachable',
  message: ({ reason }) => `${reason} To back up the stopped service of this folder, leave out --url and AGENT_SERVICE_URL.`,
})

/** There is nobody who could have invited a person: the first account is made otherwise. */
export const noAccountYetError = defineError<Record<string, never>>({
  code: 'no_account_yet',
  status: 409,
  title: 'No account yet',
  message: () => 'There is no account yet. Create the first one: agent-service users create <username> --role admin.',
})

/** No account has this name or e-mail address. */
export const accountUnknownError = defineError<{ readonly name: string }>({
  code: 'account_unknown',
  status: 404,
  title: 'Unknown account',
  message: ({ name }) => `There is no account “${name}”. “agent-service users list” lists them all.`,
})

/** There is no address to confirm. */
export const emailMissingError = defineError<{ readonly name: string }>({
  code: 'email_missing',
  status: 409,
  title: 'No e-mail address',
  message: ({ name }) => `The account “${name}” has no e-mail address. The person or an admin sets one while the service runs.`,
})

/** The new encryption secret cannot be used. */
export const newSecretRefusedError = defineError<{ readonly reason: string }>({
  code: 'new_secret_refused',
  status: 422,
  title: 'New secret refused',
  message: ({ reason }) => `The new encryption secret ${reason}. Generate one with: openssl rand -base64 32`,
})
