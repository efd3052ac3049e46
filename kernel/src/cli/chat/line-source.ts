import type { Interface } from 'node:readline'

/** What is typed, line by line, for whoever asks for it next. */
export interface LineSource {
  /**
   * The next line, behind a prompt; undefined at the end of the input. `fresh`: on a terminal only a line that is typed from now on, so that nothing
   * typed ahead answers a question that nobody had read. One reader at a time. Rejects with the signal's reason; what had been typed is dropped.
   */
  next(prompt: string, options?: { readonly fresh?: boolean; readonly signal?: AbortSignal }): Promise<string | undefined>
}

/** Lines of a reader. Lines that nobody has asked for yet are kept. */
export function createLineSource(reader: Interface, { interactive }: { readonly interactive: boolean }): LineSource {
  const kept: string[] = []
  let ended = false
  let waiting: ((line: string | undefined) => void) | undefined
  const give = (line: string | undefined): boolean => {
    const take = waiting
    waiting = undefined
    take?.(line)
    return take !== undefined
  }
  reader.on('line', (line) => {
    if (!give(line)) kept.push(line)
  })
  reader.on('close', () => {
    ended = true
    give(undefined)
  })

  return {
    next(prompt, { fresh = false, signal } = {}) {
      signal?.throwIfAborted()
      reader.setPrompt(prompt)
      if (!ended) reader.prompt()
      if (!(fresh && interactive) && kept.length > 0) return Promise.resolve(kept.shift())
      if (ended) return Promise.resolve(undefined)
      return new Promise((resolve, reject) => {
        const abort = (): void => {
          waiting = undefined
          if (interactive && !ended) reader.write(null, { ctrl: true, name: 'u' })
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', abort, { once: true })
        waiting = (line) => {
          signal?.removeEventListener('abort', abort)
          resolve(line)
        }
      })
    },
  }
}
