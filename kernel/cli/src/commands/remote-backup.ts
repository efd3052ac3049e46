import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { defineError, type JsonObject } from '@agent-service/sdk'
import type { BackupProgress } from '@agent-service/sdk/services/backups'
import { ask, askSecret } from '../terminal/terminal.js'
import { type ApiClient, createApiClient } from './api-client.js'
import type { Outcome } from './command-action.js'
import { backupWithoutAccountsError, serviceProblemError } from './errors.js'
import type { Invocation } from './invocation.js'
import type { RemoteOptions } from './options.js'
import { serviceUrl } from './service-url.js'

const instead =
  'The service is running, so it makes the backup itself. Set AGENT_SERVICE_USERNAME and AGENT_SERVICE_PASSWORD of an administrator.'
const pollMs = 300
const answerLimitMs = 60_000

/** The backup that the service was asked for did not come about. */
export const remoteBackupFailedError = defineError<{ readonly reason: string }>({
  code: 'remote_backup_failed',
  status: 502,
  title: 'Backup failed',
  message: ({ reason }) => `The service could not make the backup: ${reason}`,
})

/**
 * Has the running service make a backup, as an administrator, and downloads it if a file is named.
 * The session is confirmed with the password, and ended afterwards.
 */
export async function backUpRunningService(
  invocation: Invocation,
  file: string | undefined,
  { say, ...options }: RemoteOptions & { readonly say: (progress: BackupProgress) => void },
): Promise<Outcome> {
  const { terminal, environment, workingDirectory } = invocation
  const client = createApiClient(await serviceUrl(invocation, options.url))
  // Before any question: a password mends neither a wrong address nor a service without accounts.
  const { needs_account: hasNone } = (await client.request('GET', '/api/auth/config')) as JsonObject
  if (hasNone === true) throw backupWithoutAccountsError.create({ place: `at ${client.url}` })
  const username = options.username ?? environment['AGENT_SERVICE_USERNAME'] ?? (await ask(terminal, 'Username:', { instead }))
  const password = environment['AGENT_SERVICE_PASSWORD'] ?? (await askSecret(terminal, 'Password:', { instead }))
  const { access_token: token } = (await client.request('POST', '/api/auth/login', { username: username.trim(), password })) as JsonObject
  if (typeof token !== 'string') throw new Error('The service answered the sign-in without an access token.')
  client.setToken(token)
  try {
    await client.request('POST', '/api/auth/confirm', { password })
    const made = await makeThere(client, say)
    const { id, path: place } = made
    if (file === undefined) return { json: made, lines: [`The backup is in ${place}.`] }
    const target = path.resolve(workingDirectory, file)
    const bytes = await download(`${client.url}/api/admin/backups/${encodeURIComponent(String(id))}/content`, token, target)
    return { json: { ...made, path: target, bytes }, lines: [`The backup is in ${target}; the service keeps it in ${place}.`] }
  } finally {
    await client.request('POST', '/api/auth/logout')
  }
}

interface RunningBackup {
  readonly id: string
  readonly progress: Pick<BackupProgress, 'step' | 'bytes' | 'files'> & { readonly total_bytes: number | null }
}

interface LastRun {
  readonly id: string
  readonly state: string
  readonly error: string | null
}

async function makeThere(client: ApiClient, say: (progress: BackupProgress) => void): Promise<JsonObject> {
  const { id } = (await client.request('POST', '/api/admin/backups?wait=false')) as JsonObject
  for (;;) {
    const status = (await client.request('GET', '/api/admin/backups/status')) as JsonObject
    const running = status['running'] as RunningBackup | null
    if (running === null || running.id !== id) {
      const last = status['last_run'] as LastRun | null
      if (last === null || last.id !== id || last.state !== 'succeeded')
        throw remoteBackupFailedError.create({ reason: last?.error ?? 'it was cancelled.' })
      return (await client.request('GET', `/api/admin/backups/${encodeURIComponent(String(id))}`)) as JsonObject
    }
    const { step, bytes, files, total_bytes: totalBytes } = running.progress
    say({ step, bytes, files, totalBytes })
    await setTimeout(pollMs)
  }
}

async function download(url: string, token: string, target: string): Promise<number> {
  const handle = await open(target, 'wx', 0o600)
  let isKept = false
  try {
    const waiting = new AbortController()
    const timer = globalThis.setTimeout(() => waiting.abort(new DOMException('The service did not answer.', 'TimeoutError')), answerLimitMs)
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: 'error', signal: waiting.signal }).finally(
      () => clearTimeout(timer),
    )
    if (!response.ok || response.body === null) {
      const { code = 'unknown', detail = response.statusText } = (await response.json()) as {
        readonly code?: string
        readonly detail?: string
      }
      throw serviceProblemError.create({ status: response.status, code, detail })
    }
    let bytes = 0
    for await (const piece of response.body) {
      await handle.writeFile(piece)
      bytes += piece.byteLength
    }
    await handle.sync()
    isKept = true
    return bytes
  } finally {
    await handle.close()
    if (!isKept) await rm(target, { force: true })
  }
}
