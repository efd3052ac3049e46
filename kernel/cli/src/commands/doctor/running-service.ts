import { findFolderOwner } from '@agent-service/kernel-core/database/folder'
import type { JsonObject } from '@agent-service/sdk'
import { createApiClient } from '../api-client.js'
import { serviceProblemError } from '../errors.js'
import type { Invocation } from '../invocation.js'
import { portUnknownError, serviceUrl } from '../service-url.js'

/** How long the service may take to answer, in milliseconds. */
const answerLimitMs = 3_000

/** The process that has the database open. */
export interface RunningService {
  readonly pid: number
  /** Null if the configuration does not say at which port it listens. */
  readonly url: string | null
  /** What it says about itself. */
  readonly state: string
  readonly ready: boolean
}

/**
 * The service that has the database open, by what its lock file says, without taking the lock;
 * `undefined` if none has.
 */
export async function findRunningService(invocation: Invocation, databaseFolder: string): Promise<RunningService | undefined> {
  const owner = await findFolderOwner(databaseFolder)
  if (owner === undefined) return undefined
  const url = await serviceUrl(invocation).catch((error: unknown) => {
    if (portUnknownError.isInstance(error)) return undefined
    throw error
  })
  if (url === undefined) return { pid: owner.pid, url: null, state: 'not asked: its port is not known', ready: true }
  return { pid: owner.pid, url, ...(await readiness(url)) }
}

async function readiness(url: string): Promise<Pick<RunningService, 'state' | 'ready'>> {
  try {
    const answer = await createApiClient(url).request('GET', '/readyz', undefined, { signal: AbortSignal.timeout(answerLimitMs) })
    return { state: String((answer as JsonObject)['status']), ready: true }
  } catch (error) {
    if (serviceProblemError.isInstance(error)) return { state: `not ready: ${String(error.details['detail'])}`, ready: false }
    const reason = error instanceof Error ? error.message : String(error)
    return { state: `not answering at ${url}: ${reason}`, ready: false }
  }
}
