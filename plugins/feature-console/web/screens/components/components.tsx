import './components.css'
import { Page } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import { Controls } from './controls.js'
import { Lists } from './lists.js'
import { Overlays } from './overlays.js'
import { Signs } from './signs.js'
import { t } from './texts.js'

/** Every component in its states. */
export default function Components(): JSX.Element {
  return (
    <div class="kit-page">
      <Page title={t('title')} lead={t('lead')}>
        <Signs />
        <Controls />
        <Overlays />
        <Lists />
      </Page>
    </div>
  )
}
