import { ServiceError } from '@agent-service/sdk'
import { runChild } from '@agent-service/sdk/process'
import { numberAt, parseJson } from '@agent-service/sdk/provider-kit'
import type { AwsCredentials, CredentialMeans } from '../../common/aws-credentials.js'
import { credentialsRefused, credentialsUnavailable } from '../../common/credential-failure.js'
import { readCredentialDocument } from '../../common/read-credential-document.js'
import { splitCommand } from './split-command.js'

const limitMs = 30_000
const maxOutputBytes = 64 * 1024
/**
 * The environment variables that such a program gets: for its files and proxies. They exclude the
 * service's settings and keys of other vendors.
 */
const passedOn = /^(PATH|HOME|USER|LOGNAME|LANG|LC_.*|TMPDIR|TEMP|TMP|TZ|SYSTEMROOT|XDG_.*|SSL_CERT_.*|https?_proxy|no_proxy|AWS_.*)$/i
const names = {
  accessKeyId: 'AccessKeyId',
  secretAccessKey: 'SecretAccessKey',
  sessionToken: 'SessionToken',
  expiration: 'Expiration',
}

/**
 * Credentials that a program prints (`credential_process`). It is started without a shell and
 * killed after 30 seconds; its output never gets into an error. @throws a call failure.
 */
export async function processCredentials(
  command: string,
  profile: string,
  means: Pick<CredentialMeans, 'signal'>,
  processLimitMs = limitMs,
): Promise<AwsCredentials> {
  const [program, ...parameters] = splitCommand(command, process.platform === 'win32') ?? []
  if (program === undefined) throw credentialsRefused(`The credential_process of the AWS profile “${profile}” is not a valid command.`)
  const document = parseJson(await outputOf(program, parameters, { profile, signal: means.signal, limitMs: processLimitMs }))
  const credentials = numberAt(document, 'Version') === 1 ? readCredentialDocument(document, names) : undefined
  if (credentials) return credentials
  throw credentialsRefused(`The credential_process of the AWS profile “${profile}” printed no credentials of version 1.`)
}

interface Run {
  readonly profile: string
  readonly signal: AbortSignal
  readonly limitMs: number
}

async function outputOf(program: string, parameters: readonly string[], { profile, signal, limitMs: maxLifeMs }: Run): Promise<string> {
  // biome-ignore lint/style/noProcessEnv: the reduced environment of a child.
  const set = Object.fromEntries(Object.entries(process.env).flatMap(([name, value = '']) => (passedOn.test(name) ? [[name, value]] : [])))
  const who = `The credential_process of the AWS profile “${profile}” (${program})`
  const environment = { pass: [], set }
  const run = { command: program, args: parameters, environment, maxOutputBytes, maxLifeMs, signal, graceMs: 0 }
  const { exit, output } = await runChild(run).catch((error: unknown) => {
    signal.throwIfAborted()
    throw credentialsRefused(`${who} could not be run (${codeOf(error)}).`)
  })
  if (exit.reason === 'overran') throw credentialsUnavailable(`${who} did not end within ${maxLifeMs} ms.`)
  if (exit.code !== null && exit.code !== 0) throw credentialsRefused(`${who} ended with the exit status ${exit.code}.`)
  if (exit.code === null) throw credentialsRefused(`${who} could not be run (it was stopped).`)
  return new TextDecoder().decode(output)
}

/** The system's error code, if there is one. */
function codeOf(error: unknown): string {
  if (!ServiceError.isInstance(error)) return 'it was stopped'
  const { cause } = error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.code
}
