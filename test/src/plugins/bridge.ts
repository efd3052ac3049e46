import { MessageChannel, type MessagePort } from 'node:worker_threads'

/**
 * A stand-in for a plugin in a process of its own: calls cross a message channel, so everything is
 * copied by the structured clone algorithm. Only what the contracts name explicitly crosses as
 * itself, by a number on the other side: signals, asynchronous iterables, and host callbacks
 * (objects of asynchronous functions).
 */
export interface Bridge {
  /**
   * Calls a method on the far side. The result is a copy; where it is an asynchronous iterable, a
   * copy is made of each item.
   */
  call(method: string, ...given: readonly unknown[]): Promise<unknown>
  /** The same for a method that answers with an asynchronous iterable at once. */
  iterate(method: string, ...given: readonly unknown[]): AsyncIterable<unknown>
  close(): void
}

/** What crosses in place of something that cannot be copied. */
type Wire = { readonly $: 'signal' | 'iterable' | 'callback'; readonly id: number }

type Message =
  | { readonly kind: 'call'; readonly id: number; readonly target: number; readonly method: string; readonly given: readonly unknown[] }
  | {
      readonly kind: 'result'
      readonly id: number
      readonly value?: unknown
      readonly error?: { readonly message: string; readonly code?: string }
    }
  | { readonly kind: 'abort'; readonly id: number; readonly reason: string }

/** Puts an object of methods behind a bridge. */
export function createBridge(target: object): Bridge {
  const { port1, port2 } = new MessageChannel()
  const near = createSide(port1, {})
  const far = createSide(port2, target)
  return {
    call: (method, ...given) => near.call(0, method, given),
    iterate: (method, ...given) => ({
      async *[Symbol.asyncIterator]() {
        yield* (await near.call(0, method, given)) as AsyncIterable<unknown>
      },
    }),
    close() {
      near.close()
      far.close()
    },
  }
}

interface Side {
  call(target: number, method: string, given: readonly unknown[]): Promise<unknown>
  close(): void
}

function createSide(port: MessagePort, root: object): Side {
  let next = 1
  const objects = new Map<number, object>([[0, root]])
  const pending = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }>()
  const signals = new Map<number, AbortController>()
  const keep = (value: object): number => {
    const id = next++
    objects.set(id, value)
    return id
  }

  const pack = (value: unknown): unknown => {
    if (value instanceof AbortSignal) {
      const id = next++
      value.addEventListener('abort', () => port.postMessage({ kind: 'abort', id, reason: String(value.reason) }), { once: true })
      return { $: 'signal', id } satisfies Wire
    }
    if (Array.isArray(value)) return value.map(pack)
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
    if (Symbol.asyncIterator in value) {
      const iterator = (value as AsyncIterable<unknown>)[Symbol.asyncIterator]()
      return { $: 'iterable', id: keep({ next: () => iterator.next(), return: async () => iterator.return?.() }) } satisfies Wire
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, typeof member === 'function' ? packCallback(value, name) : pack(member)]),
    )
  }
  const packCallback = (owner: object, name: string): Wire => ({
    $: 'callback',
    id: keep({ [name]: (owner as Record<string, unknown>)[name] }),
  })

  const unpack = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => unpack(item))
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
    if (!('$' in value)) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unpack(member, key)]))
    const wire = value as Wire
    if (wire.$ === 'callback') return (...given: readonly unknown[]) => call(wire.id, name, given)
    if (wire.$ === 'signal') {
      const controller = new AbortController()
      signals.set(wire.id, controller)
      return controller.signal
    }
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => call(wire.id, 'next', []),
        return: async () => ({ ...((await call(wire.id, 'return', [])) as object | undefined), done: true, value: undefined }),
      }),
    }
  }

  const call = (target: number, method: string, given: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = next++
      pending.set(id, { resolve, reject })
      port.postMessage({ kind: 'call', id, target, method, given: given.map(pack) } satisfies Message)
    })

  const answer = async ({ id, target, method, given }: Extract<Message, { readonly kind: 'call' }>): Promise<void> => {
    try {
      const object = objects.get(target) as Readonly<Record<string, (...given: readonly unknown[]) => unknown>> | undefined
      const value = await object?.[method]?.(...given.map((item) => unpack(item)))
      port.postMessage({ kind: 'result', id, value: pack(value) } satisfies Message)
    } catch (error) {
      const { message, code } = error as Error & { readonly code?: unknown }
      port.postMessage({ kind: 'result', id, error: { message, ...(typeof code === 'string' ? { code } : {}) } } satisfies Message)
    }
  }

  port.on('message', (message: Message) => {
    if (message.kind === 'call') return void answer(message)
    if (message.kind === 'abort') return signals.get(message.id)?.abort(new DOMException(message.reason, 'AbortError'))
    const waiting = pending.get(message.id)
    pending.delete(message.id)
    if (message.error === undefined) waiting?.resolve(unpack(message.value))
    else waiting?.reject(Object.assign(new Error(message.error.message), { code: message.error.code }))
  })
  return { call, close: () => port.close() }
}
