import { isProblem } from '@agent-service/sdk/web'

/** Waits for what the chat works without: what the service does not answer is left out. */
export async function orLeftOut(reading: Promise<unknown>): Promise<void> {
  try {
    await reading
  } catch (error) {
    if (!isProblem(error)) throw error
  }
}
