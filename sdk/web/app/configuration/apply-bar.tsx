import './apply-bar.css'
import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import type { Configuration } from '../../api/configuration.js'
import { createLoaded } from '../../api/loaded.js'
import { type Banner, BannerBar, showToast } from '../../ui/notices.js'
import { Failure } from '../../ui/states.js'
import { createApplying, readRestartWork, workText } from '../applying.js'
import { t } from './texts.js'

/** What a page saves that may be applied without a question. */
export interface AppliedAtOnce {
  /** How often something was saved on this page. */
  readonly saved: number
  /** Whether a path is one whose change only adds to what can be chosen, while answers go on. */
  readonly isHarmless: (path: string) => boolean
}

/**
 * Says that saved changes are not in effect yet, and applies them when the person wants it. What was
 * saved on this page is applied at once, unless other saved changes would be applied too or programs
 * would end.
 */
export function ApplyBar(props: {
  readonly configuration: Configuration
  readonly onApplied: () => void
  readonly atOnce?: AppliedAtOnce
}): JSX.Element {
  const applying = createApplying()
  const [failure, setFailure] = createSignal<unknown>()
  const work = createLoaded(async (signal) => (props.configuration.restart_required ? readRestartWork(signal) : undefined))
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    setFailure(undefined)
    try {
      await step()
    } catch (error) {
      setFailure(error)
    }
  }
  const apply = (): Promise<void> =>
    attempt(async () => {
      await applying.apply()
      showToast(t('applied'))
      props.onApplied()
    })
  const applySaved = (): Promise<void> =>
    attempt(async () => {
      if ((await readRestartWork()).ends === 0) await apply()
    })
  let handled = 0
  createEffect(
    on([() => props.configuration, () => props.atOnce?.saved ?? 0], ([configuration, saved]) => {
      if (!configuration.restart_required || saved === handled || applying.phase()) return
      handled = saved
      if (configuration.pending.every((path) => props.atOnce?.isHarmless(path))) void applySaved()
    }),
  )
  const under = (): Banner => {
    const banner: Banner = { id: 'apply', mark: 'run', text: applying.text() }
    if (!applying.phase()?.waitsFor) return banner
    return { ...banner, action: { label: t('apply_now'), run: () => void attempt(applying.applyNow) } }
  }
  const text = (): string => {
    const found = work.value()
    return found ? `${t('apply_text')} ${workText(found)}`.trim() : t('apply_text')
  }
  return (
    <Show when={props.configuration.restart_required || applying.phase()}>
      <div class="apply-bar">
        <Show
          when={applying.phase()}
          fallback={<BannerBar banner={{ id: 'apply', text: text(), action: { label: t('apply'), run: () => void apply() } }} />}
        >
          <BannerBar banner={under()} />
        </Show>
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
    </Show>
  )
}
