import type { DisposableScope } from './disposable-scope.js'

/** A plugin's hooks before it stops, while its calls in flight still run. Belongs to a scope. */
export interface StoppingHooks {
  /**
   * Hands a hook over. Where the scope is disposed before {@link StoppingHooks.run}, the hook runs
   * in its place among the disposers of the scope. In a scope that is closed it runs at once and
   * `scope_closed` is thrown.
   */
  add(hook: () => void | Promise<void>): void
  /**
   * Runs the hooks, the newest first, one after the other, each within the scope's limit. Later
   * calls return the same promise. Never rejects: the errors of hooks, thrown or timed out, are its
   * result, in the order in which they happened.
   */
  run(reason?: unknown): Promise<readonly Error[]>
}

/**
 * Makes the hooks of one scope. Each runs once, whichever comes first: {@link StoppingHooks.run} or
 * the end of the scope.
 */
export function createStoppingHooks(scope: DisposableScope): StoppingHooks {
  const hooks: DisposableScope[] = []
  let running: Promise<readonly Error[]> | undefined

  const runAll = async (reason: unknown): Promise<readonly Error[]> => {
    const errors: Error[] = []
    for (const hook of hooks.toReversed()) errors.push(...(await hook.dispose(reason)))
    return errors
  }

  return {
    add(hook) {
      if (scope.signal.aborted) return scope.add('onStopping', hook)
      const own = scope.child('onStopping')
      own.add('hook', hook)
      hooks.push(own)
    },
    run(reason) {
      running ??= runAll(reason)
      return running
    },
  }
}
