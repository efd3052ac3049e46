import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { defineError, type JsonObject } from '@agent-service/sdk'
import { ask, askSecret } from '../terminal/terminal.js'
import { createApiClient } from './api-client.js'
import type { Outcome } from './command-action.js'
import { serviceProblemError } from './errors.js'
import { exitStatus } from './exit-status.js'
import type { Invocation } from './invocation.js'
import type { RemoteOptions } from './options.js'
import { serviceUrl } from './service-url.js'

const instead = 'Set AGENT_SERVICE_USERNAME and AGENT_SERVICE_PASSWORD; a token may not export an account.'
/** The list at the end of the archive names this file if something is missing. */
const incompleteMark = Buffer.from('INCOMPLETE.txt')
/** Where an entry of that list begins. */
const entryMark = Buffer.from([0x50, 0x4b, 1, 2])
/** Documents as they are stored. They are the last entries but two. */
const rawFile = /^raw\/[\w.-]+\/[\w.-]+\.ndjson$/
/** How much of the end is searched for them: some hundred entries of the list. */
const tailBytes = 64 * 1024
/** How long the service may take to answer, in milliseconds; the archive itself may take longer. */
const answerLimitMs = 60_000

/** A file is in the place of the archive. */
export const exportTargetExistsError = defineError<{ readonly file: string }>({
  code: 'export_target_exists',
  status: 409,
  title: 'File exists',
  message: ({ file }) => `“${file}” exists already. Name another file.`,
})

/** The archive ended before its end. */
export const exportCutOffError = defineError<{ readonly reason: string }>({
  code: 'export_cut_off',
  status: 502,
  title: 'Export cut off',
  message: ({ reason }) => `The service ended the archive before its end (${reason}); nothing was kept. Try again.`,
})

/**
 * Downloads everything that an account has to a new file that only its owner may read. The session
 * that this needs is confirmed with the password, and ended afterwards. Status 1 if the archive
 * says that something is missing.
 */
export async function exportAccount(invocation: Invocation, file: string, options: RemoteOptions): Promise<Outcome> {
  const { terminal, environment, workingDirectory } = invocation
  const target = path.resolve(workingDirectory, file)
  const username = options.username ?? environment['AGENT_SERVICE_USERNAME'] ?? (await ask(terminal, 'Username:', { instead }))
  const password = environment['AGENT_SERVICE_PASSWORD'] ?? (await askSecret(terminal, 'Password:', { instead }))
  const client = createApiClient(await serviceUrl(invocation, options.url))
  const { access_token: token } = (await client.request('POST', '/api/auth/login', { username: username.trim(), password })) as JsonObject
  if (typeof token !== 'string') throw new Error('The service answered the sign-in without an access token.')
  client.setToken(token)
  const signOut = () => client.request('POST', '/api/auth/logout')
  const exporting = async (): Promise<Outcome> => {
    await client.request('POST', '/api/auth/confirm', { password })
    const { bytes, isComplete, raw } = await download(`${client.url}/api/users/me/export`, token, target)
    return {
      status: isComplete ? exitStatus.done : exitStatus.failed,
      json: { path: target, bytes, complete: isComplete, raw },
      lines: [`Wrote ${bytes} bytes to ${target}.`],
      notes: [
        ...(raw.length === 0 ? [] : [`As stored, since no running plugin answers for it: ${raw.join(', ')}.`]),
        ...(isComplete ? [] : ['Something is missing: see “problems” and “absent_plugins” in manifest.json, at the end of the archive.']),
      ],
    }
  }
  // The failure of the export says more than one of the sign-out after it.
  const outcome = await exporting().catch((error: unknown) =>
    signOut().then(
      () => Promise.reject(error),
      () => Promise.reject(error),
    ),
  )
  await signOut()
  return outcome
}

interface Downloaded {
  readonly bytes: number
  readonly isComplete: boolean
  /** The files of the archive with documents as they are stored. */
  readonly raw: readonly string[]
}

async function download(url: string, token: string, target: string): Promise<Downloaded> {
  const handle = await open(target, 'wx', 0o600).catch((error: unknown) => {
    if ((error as { readonly code?: string }).code === 'EEXIST') throw exportTargetExistsError.create({ file: target })
    throw error
  })
  let isKept = false
  try {
    const pieces = await archiveFrom(url, token)
    let bytes = 0
    let tail = Buffer.alloc(0)
    try {
      for await (const piece of pieces) {
        await handle.writeFile(piece)
        bytes += piece.byteLength
        tail = Buffer.concat([tail, piece]).subarray(-tailBytes)
      }
    } catch (error) {
      throw exportCutOffError.create({ reason: error instanceof Error ? error.message : String(error) }, { cause: error })
    }
    await handle.sync()
    isKept = true
    return { bytes, isComplete: !tail.includes(incompleteMark), raw: namesIn(tail).filter((name) => rawFile.test(name)) }
  } finally {
    await handle.close()
    if (!isKept) await rm(target, { force: true })
  }
}

/** The names in the list at the end of an archive, as far as it is there. */
function namesIn(tail: Buffer): readonly string[] {
  const names: string[] = []
  for (let at = tail.indexOf(entryMark); at !== -1 && at + 46 <= tail.byteLength; at = tail.indexOf(entryMark, at + 46))
    names.push(tail.toString('utf8', at + 46, at + 46 + tail.readUInt16LE(at + 28)))
  return names
}

/** @throws `service_problem`. */
async function archiveFrom(url: string, token: string): Promise<AsyncIterable<Uint8Array>> {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(new DOMException('The service did not answer.', 'TimeoutError')), answerLimitMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: waiting.signal,
    })
    if (response.ok && response.body) return response.body
    const { code = 'unknown', detail = response.statusText } = (await response.json()) as {
      readonly code?: string
      readonly detail?: string
    }
    throw serviceProblemError.create({ status: response.status, code, detail })
  } finally {
    clearTimeout(timer)
  }
}
