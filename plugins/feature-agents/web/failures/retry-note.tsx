import './failures.css'
import { Mark } from '@agent-service/sdk/web'
import { createSignal, type JSX, onCleanup } from 'solid-js'
import { causeWords } from './failure-words.js'
import { t } from './texts.js'

/** A model call that is made again. */
export interface Retry {
  readonly runId: string
  /** The kind of failure before it. */
  readonly failure: string
  /** The number of the next attempt, and how many there are, if both are known. */
  readonly attempt?: number | undefined
  readonly max?: number | undefined
  /** When it begins, in milliseconds by the clock of this device. */
  readonly until: number
}

/** Why an answer does not come yet, which attempt follows, and in how many seconds from now. */
export function retryText({ failure, attempt, max, until }: Retry, now: number): string {
  const cause = causeWords(failure)
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000))
  if (attempt === undefined || max === undefined)
    return seconds > 0 ? t('next_attempt', { cause, seconds }) : t('next_attempt_now', { cause })
  return seconds > 0 ? t('next_attempt_of', { cause, attempt, max, seconds }) : t('next_attempt_of_now', { cause, attempt, max })
}

/** In the open turn, with a countdown. What is announced is said elsewhere, once for each attempt. */
export function RetryNote(props: { readonly retry: Retry }): JSX.Element {
  const [now, setNow] = createSignal(Date.now())
  const timer = setInterval(() => setNow(Date.now()), 250)
  onCleanup(() => clearInterval(timer))
  return (
    <div class="step">
      <Mark name="warn" />
      <div class="chat-retry">
        <span class="t2 small num">{retryText(props.retry, now())}</span>
      </div>
    </div>
  )
}
