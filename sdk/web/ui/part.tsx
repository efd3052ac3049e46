import { type Component, ErrorBoundary, type JSX, lazy, onCleanup, Suspense } from 'solid-js'
import { loadPart, MissingPartError } from '../core/load-part.js'
import { Failure } from './states.js'

/**
 * A part of a screen that is loaded when it is shown. What fails is said in its place, with a way to try
 * again; the screen around it goes on.
 *
 * @example
 * const Chart = lazyPart(() => import('./chart.js'), ({ Chart }) => Chart)
 */
export function lazyPart<Props extends Record<string, unknown>, Module>(
  load: () => Promise<Module>,
  choose: (module: Module) => Component<Props>,
  fallback?: () => JSX.Element,
): Component<Props> {
  const Part = lazy(async () => ({ default: choose(await loadPart(load)) }))
  return (props) => (
    <Guarded>
      <Suspense fallback={fallback?.()}>
        <Part {...props} />
      </Suspense>
    </Guarded>
  )
}

/** Keeps an error of what is in it from the rest of the page: it is reported, and shown in its place. */
export function Guarded(props: {
  readonly children: JSX.Element
  readonly failed?: (error: unknown, tryAgain: () => void) => JSX.Element
}): JSX.Element {
  return (
    <ErrorBoundary
      fallback={(error: unknown, reset) => {
        if (error instanceof MissingPartError) {
          addEventListener('online', reset)
          onCleanup(() => removeEventListener('online', reset))
        } else reportError(error)
        return props.failed?.(error, reset) ?? <Failure error={error} onRetry={reset} />
      }}
    >
      {props.children}
    </ErrorBoundary>
  )
}
