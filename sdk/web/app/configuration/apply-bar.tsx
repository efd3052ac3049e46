import './apply-bar.css'
import { createEffect, type JSX, on, Show } from 'solid-js'
import type { Configuration } from '../../api/configuration.js'
import { createAction } from '../../forms/create-action.js'
import { createQueries } from '../../query/create-queries.js'
import { type Banner, BannerBar, showToast } from '../../ui/notices.js'
import { Failure } from '../../ui/states.js'
import { createApplying, readRestartWork, workText } from '../applying.js'
import { t } from './texts.js'

const { createQuery } = createQueries()

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
  const work = createQuery({
    key: () => (props.configuration.restart_required ? ['restart-work', props.configuration.revision] : undefined),
    read: readRestartWork,
  })
  const applyNow = createAction(applying.applyNow)
  const apply = createAction(async () => {
    applyNow.clear()
    applySaved.clear()
    await applying.apply()
    showToast(t('applied'))
    props.onApplied()
  })
  const applySaved = createAction(async () => {
    if ((await readRestartWork()).ends === 0) await apply.run()
  })
  let handled = 0
  createEffect(
    on([() => props.configuration, () => props.atOnce?.saved ?? 0], ([configuration, saved]) => {
      if (!configuration.restart_required || saved === handled || applying.phase()) return
      handled = saved
      if (configuration.pending.every((path) => props.atOnce?.isHarmless(path))) void applySaved.run()
    }),
  )
  const under = (): Banner => {
    const banner: Banner = { id: 'apply', mark: 'run', text: applying.text() }
    if (!applying.phase()?.waitsFor) return banner
    return { ...banner, action: { label: t('apply_now'), run: () => void applyNow.run() } }
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
          fallback={<BannerBar banner={{ id: 'apply', text: text(), action: { label: t('apply'), run: () => void apply.run() } }} />}
        >
          <BannerBar banner={under()} />
        </Show>
        <Show when={applyNow.failure() ?? apply.failure() ?? applySaved.failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
    </Show>
  )
}
