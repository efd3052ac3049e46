import './temporary-switch.css'
import { chooseNextTemporary, Icon, isNextTemporary } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { t } from './texts.js'

/** Whether the chat that begins here is a temporary one, and what that means. */
export function TemporarySwitch(): JSX.Element {
  return (
    <div class="home-temporary">
      <button
        type="button"
        class="btn quiet s"
        aria-pressed={isNextTemporary() ? 'true' : 'false'}
        onClick={() => chooseNextTemporary(!isNextTemporary())}
      >
        <Icon name="clock" />
        {t('temporary')}
      </button>
      <span role="status">
        <Show when={isNextTemporary()}>{t('temporary_text')}</Show>
      </span>
    </div>
  )
}
