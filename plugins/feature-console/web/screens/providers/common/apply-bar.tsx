import { createSignal, type JSX, Show } from 'solid-js'
import { BannerBar, showToast } from '../../../ui/notices.js'
import { Failure } from '../../../ui/states.js'
import { applyConfiguration, type Configuration } from './configuration.js'
import { t } from './texts.js'

/** Says that saved changes wait for the next start, and applies them. */
export function ApplyBar(props: { readonly configuration: Configuration; readonly onApplied: () => void }): JSX.Element {
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const apply = async (): Promise<void> => {
    if (busy()) return
    setBusy(true)
    setFailure(undefined)
    try {
      await applyConfiguration()
      showToast(t('applied'))
      props.onApplied()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Show when={props.configuration.restart_required}>
      <div class="providers-apply">
        <BannerBar
          banner={
            busy()
              ? { id: 'apply', mark: 'run', text: t('applying') }
              : { id: 'apply', text: t('apply_text'), action: { label: t('apply'), run: () => void apply() } }
          }
        />
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
    </Show>
  )
}
