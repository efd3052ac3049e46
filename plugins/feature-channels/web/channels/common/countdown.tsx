import { durationText, momentText, whileVisible } from '@agent-service/sdk/web'
import { createSignal, type JSX } from 'solid-js'
import { t } from './texts.js'

const tickMs = 1_000

/** How long it is until the next try, second by second. It is not announced: it would never be quiet. */
export function Countdown(props: { readonly at: string }): JSX.Element {
  const [now, setNow] = createSignal(Date.now())
  whileVisible(tickMs, () => setNow(Date.now()))
  const seconds = (): number => Math.max(0, Math.ceil((Date.parse(props.at) - now()) / 1_000))
  return (
    <span class="num" title={momentText(props.at)}>
      {seconds() === 0 ? t('next_now') : t('next_in', { time: durationText(seconds() * 1_000) })}
    </span>
  )
}
