import type { Disposer } from './disposer.js'
import { defineError } from './errors.js'

/** Something was added to a disposed scope. It is disposed at once, so that it does not leak. */
export const scopeClosedError = defineError<{ readonly scope: string; readonly label: string }>({
  code: 'scope_closed',
  status: 500,
  title: 'Scope closed',
  message: ({ scope, label }) =>
    `“${label}” was opened in scope “${scope}” after that scope was disposed. Open it during setup, or check the scope's signal first.`,
})

/** A disposer did not end within the scope's limit. The scope continues with the next one. */
export const disposeTimeoutError = defineError<{ readonly scope: string; readonly label: string; readonly limitMs: number }>({
  code: 'dispose_timeout',
  status: 500,
  title: 'Dispose timed out',
  message: ({ scope, label, limitMs }) =>
    `Disposing “${label}” of scope “${scope}” did not end within ${limitMs} ms. Its resources may leak until the process ends.`,
})

/**
 * Owns what was opened in it and undoes it: strictly one after the other, in reverse order, each
 * guarded so that a failing or hanging disposer does not keep the others from running.
 */
export interface DisposableScope extends AsyncDisposable {
  /** For messages; a child's begins with its parent's. */
  readonly name: string
  /** Aborted when disposal begins, before the first disposer runs. */
  readonly signal: AbortSignal
  /**
   * Adds a disposer to the scope. In a closed scope it runs at once and {@link scopeClosedError} is
   * thrown.
   */
  add(label: string, dispose: Disposer): void
  /** A child scope: disposed with this one, and removed from it when disposed separately. */
  child(name: string): DisposableScope
  /** Labels of the current holdings, oldest first; a child's as `child/label`. */
  holdings(): readonly string[]
  /**
   * Undoes everything. Later calls return the same promise. Never rejects: the errors of disposers,
   * thrown or timed out, are its result, in the order in which they happened.
   */
  dispose(reason?: unknown): Promise<readonly Error[]>
}

/** Options of {@link createDisposableScope}. */
export interface DisposableScopeOptions {
  /** The name of the scope in its errors. */
  readonly name: string
  /** How long one disposer may take, in milliseconds. Default 10,000. */
  readonly disposerLimitMs?: number
}

interface Holding {
  readonly label: string
  readonly dispose: () => void | Promise<unknown>
  readonly scope?: DisposableScope
}

/** Makes an empty scope. */
export function createDisposableScope(options: DisposableScopeOptions): DisposableScope {
  return createScope(options, () => undefined)
}

function createScope(options: DisposableScopeOptions, onDisposed: () => void): DisposableScope {
  const { name, disposerLimitMs = 10_000 } = options
  const controller = new AbortController()
  const holdings = new Set<Holding>()
  let disposal: Promise<readonly Error[]> | undefined

  const disposeAll = async (): Promise<readonly Error[]> => {
    const errors: Error[] = []
    for (const holding of [...holdings].reverse()) {
      holdings.delete(holding)
      try {
        if (holding.scope) errors.push(...(await holding.scope.dispose(controller.signal.reason)))
        else await withinLimit(holding, { name, disposerLimitMs })
      } catch (error) {
        errors.push(error instanceof Error ? error : new Error(`“${holding.label}” failed to dispose: ${String(error)}`, { cause: error }))
      }
    }
    return errors
  }

  const scope: DisposableScope = {
    name,
    signal: controller.signal,
    add(label, dispose) {
      if (disposal) {
        // Only this error can report the rejection of a late disposer.
        const late = Promise.resolve().then(dispose)
        late.catch(() => undefined)
        throw scopeClosedError.create({ scope: name, label })
      }
      holdings.add({ label, dispose })
    },
    child(childName) {
      if (disposal) throw scopeClosedError.create({ scope: name, label: childName })
      const inner = createScope({ name: `${name}/${childName}`, disposerLimitMs }, () => void holdings.delete(holding))
      const holding: Holding = { label: childName, dispose: () => inner.dispose(), scope: inner }
      holdings.add(holding)
      return inner
    },
    holdings: () =>
      [...holdings].flatMap((holding) =>
        holding.scope ? holding.scope.holdings().map((label) => `${holding.label}/${label}`) : [holding.label],
      ),
    dispose(reason) {
      if (!disposal) {
        // Assigned before anything runs, so that a disposer that disposes its own scope gets the
        // same promise.
        let settle: (errors: readonly Error[]) => void = () => undefined
        disposal = new Promise((resolve) => {
          settle = resolve
        })
        controller.abort(reason ?? new DOMException(`Scope “${name}” was disposed.`, 'AbortError'))
        void disposeAll().then((errors) => {
          onDisposed()
          settle(errors)
        })
      }
      return disposal
    },
    async [Symbol.asyncDispose]() {
      const errors = await scope.dispose()
      if (errors.length > 0) throw new AggregateError(errors, `Scope “${name}” was disposed with ${errors.length} error(s).`)
    },
  }
  return scope
}

async function withinLimit(holding: Holding, scope: { readonly name: string; readonly disposerLimitMs: number }): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await Promise.race([
      holding.dispose(),
      new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(disposeTimeoutError.create({ scope: scope.name, label: holding.label, limitMs: scope.disposerLimitMs })),
          scope.disposerLimitMs,
        )
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
