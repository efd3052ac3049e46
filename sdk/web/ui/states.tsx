import { type JSX, Show } from 'solid-js'
import { isProblem } from '../api/problem.js'
import { MissingPartError } from '../core/load-part.js'
import { Button } from './button.js'
import { Mark } from './mark.js'
import { t } from './texts.js'

/** What a place without content is for, and one action. */
export function EmptyState(props: { readonly title: string; readonly text: string; readonly children?: JSX.Element }): JSX.Element {
  return (
    <div class="empty">
      <h2>{props.title}</h2>
      <p>{props.text}</p>
      {props.children}
    </div>
  )
}

/** Bars in the place of text that is on its way; visible after 200 ms. */
export function Skeleton(props: { readonly lines?: number }): JSX.Element {
  return (
    <div class="skel" aria-busy="true">
      <span class="sr">{t('loading')}</span>
      {Array.from({ length: props.lines ?? 4 }, () => (
        <i />
      ))}
    </div>
  )
}

/** The words of an error: what happened, why, and what to do. */
export function errorText(error: unknown): string {
  if (isProblem(error, 'offline')) return t('offline')
  if (isProblem(error, 'foreign_answer')) return t('foreign_answer')
  if (isProblem(error, 'unauthenticated')) return t('unauthenticated')
  if (error instanceof MissingPartError) return t('part_missing')
  if (isProblem(error) && error.said !== undefined) return `${error.message} ${t('service_says', { words: error.said })}`
  if (error instanceof Error) return error.message
  return String(error)
}

/** The words of an error; those that the service has in English only are marked as such. */
export function ErrorWords(props: { readonly error: unknown }): JSX.Element {
  const said = (): string | undefined => (isProblem(props.error) ? props.error.said : undefined)
  return (
    <Show when={said()} fallback={errorText(props.error)}>
      {(words) => (
        <>
          {(props.error as Error).message}{' '}
          <bdi class="meta" lang="en">
            {words()}
          </bdi>
        </>
      )}
    </Show>
  )
}

/** A failure in place, with a way to try again. */
export function Failure(props: { readonly error: unknown; readonly onRetry?: () => void }): JSX.Element {
  return (
    <div class="failed" role="alert">
      <Mark name="fail" />
      <span class="grow">
        <ErrorWords error={props.error} />
      </span>
      <Show when={props.onRetry}>
        <Button size="small" icon="refresh" onClick={() => props.onRetry?.()}>
          {t('retry')}
        </Button>
      </Show>
    </div>
  )
}
