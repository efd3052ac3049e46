import { execFile } from 'node:child_process'
import { numberAt, parseJson } from '@agent-service/sdk/provider-kit'
import type { AwsCredentials, CredentialMeans } from '../../common/aws-credentials.js'
import { credentialsRefused, credentialsUnavailable } from '../../common/credential-failure.js'
import { readCredentialDocument } from '../../common/read-credential-document.js'
import { splitCommand } from './split-command.js'

const limitMs = 30_000
const outputLimit = 64 * 1024
/** What such a program needs to find its files and its way out. The service's own settings and the keys of other vendors are not among it. */
const passedOn = /^(PATH|HOME|USER|LOGNAME|LANG|LC_.*|TMPDIR|TEMP|TMP|TZ|SYSTEMROOT|XDG_.*|SSL_CERT_.*|https?_proxy|no_proxy|AWS_.*)$/i
const names = {
  accessKeyId: 'AccessKeyId',
  secretAccessKey: 'SecretAccessKey',
  sessionToken: 'SessionToken',
  expiration: 'Expiration',
}

/**
 * Credentials that a program prints (`credential_process`). It is started without a shell and killed after 30 seconds; nothing that it prints gets into an
 * error. @throws a call failure.
 */
export async function processCredentials(
  command: string,
  profile: string,
  means: Pick<CredentialMeans, 'signal'>,
  processLimitMs = limitMs,
): Promise<AwsCredentials> {
  const [program, ...parameters] = splitCommand(command, process.platform === 'win32') ?? []
  if (program === undefined) throw credentialsRefused(`The credential_process of the AWS profile “${profile}” is no command.`)
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

const outputOf = (program: string, parameters: readonly string[], run: Run): Promise<string> =>
  new Promise((resolve, reject) => {
    // biome-ignore lint/style/noProcessEnv: what a child inherits, cut down.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name)))
    const options = {
      env,
      timeout: run.limitMs,
      killSignal: 'SIGKILL',
      maxBuffer: outputLimit,
      signal: run.signal,
      windowsHide: true,
    } as const
    const started = execFile(program, parameters, options, (error, output) => {
      if (!error) resolve(output)
      else reject(run.signal.aborted ? run.signal.reason : failureOf(error, program, run))
    })
    // It is not asked anything.
    started.stdin?.end()
  })

function failureOf(
  error: { readonly code?: unknown; readonly killed?: boolean },
  program: string,
  { profile, limitMs: limit }: Run,
): Error {
  const who = `The credential_process of the AWS profile “${profile}” (${program})`
  if (error.killed === true && typeof error.code !== 'string') return credentialsUnavailable(`${who} did not end within ${limit} ms.`)
  return typeof error.code === 'number'
    ? credentialsRefused(`${who} ended with the exit status ${error.code}.`)
    : credentialsRefused(`${who} could not be run (${typeof error.code === 'string' ? error.code : 'it was stopped'}).`)
}
