import { ServiceError } from '@agent-service/sdk'

/** The error that a piece of work fails with. */
export async function rejection(work: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await work.then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  )
  if (ServiceError.isInstance(error)) return error
  throw error
}
