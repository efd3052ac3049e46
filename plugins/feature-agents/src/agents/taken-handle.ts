import { uniqueViolationError } from '@agent-service/sdk/contracts/database-driver'
import { handleTakenError } from '../common/errors.js'

/** Runs work that assigns a handle to an agent. @throws `agent_handle_taken`. */
export async function reportTakenHandle<T>(handle: () => string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const wanted = handle()
    if (wanted !== undefined && uniqueViolationError.isInstance(error)) throw handleTakenError.create({ handle: wanted }, { cause: error })
    throw error
  }
}
