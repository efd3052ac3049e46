import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bytesOf, type Replay, type ReplayServer, type SeenRequest, startReplayServer } from '@agent-service/sdk/testing'
import type { AwsCredentials, CredentialMeans } from '../common/aws-credentials.js'
import { findCredentials } from '../credentials/find-credentials.js'

/** The time of the credential tests. */
export const testNow = Date.parse('2026-01-02T03:04:05Z')

/** A home folder, and a server in place of every service that issues credentials. */
export interface CredentialPlace {
  readonly homeFolder: string
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string
  readonly seen: readonly SeenRequest[]
  /** How the server answers. Default: HTTP 404. */
  answer: (request: SeenRequest) => Replay
  /** Writes a file below the home folder, and returns its path. */
  write(name: string, text: string): Promise<string>
  /** The dependencies of finding credentials, with these variables. */
  means(variables?: Readonly<Record<string, string>>, signal?: AbortSignal): CredentialMeans
  /**
   * Finds credentials with these variables, on a machine that is not an instance unless they say
   * so.
   */
  find(variables?: Readonly<Record<string, string>>, profile?: string): Promise<AwsCredentials>
  close(): Promise<void>
}

export async function openCredentialPlace(): Promise<CredentialPlace> {
  const homeFolder = await mkdtemp(path.join(tmpdir(), 'bedrock-home-'))
  const server: ReplayServer = await startReplayServer((request) => place.answer(request))
  const place: CredentialPlace = {
    homeFolder,
    origin: server.baseUrl.replace(/\/v1$/, ''),
    seen: server.seen,
    answer: () => ({ status: 404, pieces: [] }),
    async write(name, text) {
      const file = path.join(homeFolder, name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, text)
      return file
    },
    means: (variables = {}, signal = new AbortController().signal) => ({
      readVariable: (name) => ({ AWS_EC2_METADATA_DISABLED: 'true', ...variables })[name],
      now: () => testNow,
      homeFolder,
      signal,
    }),
    find: (variables, profile) => findCredentials(profile, place.means(variables)),
    async close() {
      await server.close()
      await rm(homeFolder, { recursive: true })
    },
  }
  return place
}

/** An answer in JSON. */
export const jsonAnswer = (value: unknown, status = 200): Replay => ({
  status,
  headers: { 'content-type': 'application/json' },
  pieces: [bytesOf(JSON.stringify(value))],
})

/** An answer of the token service. */
export const roleAnswer = (
  action: string,
  keys: { readonly id: string; readonly secret: string; readonly token: string; readonly expiration: string },
): Replay => ({
  headers: { 'content-type': 'text/xml' },
  pieces: [
    bytesOf(
      `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result><AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/r/s</Arn></AssumedRoleUser><Credentials><AccessKeyId>${keys.id}</AccessKeyId><SecretAccessKey>${keys.secret}</SecretAccessKey><SessionToken>${keys.token}</SessionToken><Expiration>${keys.expiration}</Expiration></Credentials></${action}Result></${action}Response>`,
    ),
  ],
})

/**
 * The provider failure that a promise is rejected with: its kind, whether a retry may help, and its
 * text.
 */
export const failureOf = (
  promise: Promise<unknown>,
): Promise<{ readonly failure: string; readonly retryable: boolean; readonly reason: string }> =>
  promise.then(
    () => {
      throw new Error('There are credentials.')
    },
    (error: unknown) => {
      const { report } = error as { readonly report?: { readonly failure: string; readonly retryable: boolean; readonly reason: string } }
      if (!report) throw error
      return report
    },
  )
