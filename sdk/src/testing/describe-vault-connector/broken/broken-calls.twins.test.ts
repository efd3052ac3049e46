import { vaultUnavailableError } from '../../../contracts/vault-connector/errors.js'
import type { VaultConnection, VaultConnector } from '../../../contracts/vault-connector/vault-connector.js'
import { describeTwins, never } from './break-connector.test.js'
import { abortedBefore, aborts, abortsSilent, down, expired, input, sealed } from './suite-titles.test.js'

/** Replaces the signal of each call, and what the call fails with. */
function withCalls(
  { test, list, read, renew }: VaultConnector,
  run: <T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal, of: VaultConnection) => Promise<T>,
): Partial<VaultConnector> {
  return {
    test: (of, { signal }) => run((own) => test(of, { signal: own }), signal, of),
    list: (of, query, { signal }) => run((own) => list(of, query, { signal: own }), signal, of),
    read: (of, id, { signal }) => run((own) => read(of, id, { signal: own }), signal, of),
    renew: (of, { signal }) => run(async (own) => (await renew?.(of, { signal: own })) ?? {}, signal, of),
  }
}

function ownAbort(connector: VaultConnector): Partial<VaultConnector> {
  return withCalls(connector, (call, signal) =>
    call(signal).catch((error: unknown) => {
      throw signal.aborted ? vaultUnavailableError.create({ vault: 'Plain', reason: 'it was stopped' }) : error
    }),
  )
}

function goingOn(connector: VaultConnector): Partial<VaultConnector> {
  return withCalls(connector, async (call, signal) => {
    const result = await call(never())
    signal.throwIfAborted()
    return result
  })
}

/** Calls of a connection that overlap run with the signal of the first. */
function sharing(connector: VaultConnector): Partial<VaultConnector> {
  const running = new Map<string, { readonly signal: AbortSignal; calls: number }>()
  return withCalls(connector, async (call, signal, { id }) => {
    const shared = running.get(id) ?? { signal, calls: 0 }
    running.set(id, shared)
    shared.calls += 1
    try {
      await new Promise((resolve) => setTimeout(resolve, 10))
      return await call(shared.signal)
    } finally {
      shared.calls -= 1
      if (shared.calls === 0) running.delete(id)
    }
  })
}

function changingInput({ test }: VaultConnector): Partial<VaultConnector> {
  return {
    async test(of, call) {
      const answer = await test(of, call)
      Object.assign(of.members, { token: '' })
      return answer
    },
  }
}

function anyFailure(connector: VaultConnector): Partial<VaultConnector> {
  return withCalls(connector, (call, signal) =>
    call(signal).catch((error: unknown) => {
      throw signal.aborted ? error : vaultUnavailableError.create({ vault: 'Plain', reason: 'it does not work' })
    }),
  )
}

function keepingFailure({ read }: VaultConnector): Partial<VaultConnector> {
  let failed: Promise<never> | undefined
  return {
    read: (...call) =>
      failed ??
      read(...call).catch((error: Error) => {
        failed = Promise.reject(error)
        return failed
      }),
  }
}

describeTwins('calls and failures', [
  ['an error of its own after an abort', ownAbort, [abortedBefore, abortsSilent]],
  ['calls that go on after an abort', goingOn, [abortsSilent]],
  ['an abort that ends the calls of others', sharing, [aborts]],
  ['a call that changes its connection', changingInput, [input]],
  ['any failure as one of the network', anyFailure, [sealed, expired]],
  ['a failure that is kept', keepingFailure, [down]],
])
