import { abortable } from '@agent-service/sdk/async'

/** Runs the changes of each user one after the other. */
export interface UserLines {
  /** @throws the signal's reason while it waits, and what the work throws. */
  run<Result>(userId: string, work: () => Promise<Result>, options: { readonly signal: AbortSignal }): Promise<Result>
}

export function createUserLines(): UserLines {
  const lasts = new Map<string, Promise<unknown>>()
  return {
    async run(userId, work, { signal }) {
      const before = lasts.get(userId) ?? Promise.resolve()
      let end: () => void = () => undefined
      const turn = new Promise<void>((resolve) => {
        end = resolve
      })
      const last = before.then(() => turn)
      lasts.set(userId, last)
      try {
        await abortable(before, signal)
        signal.throwIfAborted()
        return await work()
      } finally {
        end()
        if (lasts.get(userId) === last) lasts.delete(userId)
      }
    },
  }
}
