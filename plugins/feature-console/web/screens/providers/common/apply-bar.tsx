import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import { createLoaded } from '../../../api/loaded.js'
import { createApplying, readRestartWork, workText } from '../../../app/applying.js'
import { type Banner, BannerBar, showToast } from '../../../ui/notices.js'
import { Failure } from '../../../ui/states.js'
import type { Configuration } from './configuration.js'
import { t } from './texts.js'

/** These are applied without a question: that only adds to what can be chosen, and answers go on. */
const ofModels = (path: string): boolean => /^(providers|models)([.[]|$)/.test(path)

/**
 * Applies what was saved here, at once. It asks first where other saved changes would be applied
 * too, or where programs would end; and so it does for what was saved elsewhere.
 */
export function ApplyBar(props: {
  readonly configuration: Configuration
  readonly onApplied: () => void
  /** How often something was saved on this page. */
  readonly saved?: number
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
    on([() => props.configuration, () => props.saved ?? 0], ([configuration, saved]) => {
      if (!configuration.restart_required || saved === handled || applying.phase()) return
      handled = saved
      if (configuration.pending.every(ofModels)) void applySaved()
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
      <div class="providers-apply">
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
