import './access.css'
import { Page } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import { Sessions } from './sessions.js'
import { t } from './texts.js'
import { Tokens } from './tokens.js'

/** What can act for the person: programs with tokens, and devices that are signed in. */
export default function Access(): JSX.Element {
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Tokens />
      <Sessions />
    </Page>
  )
}
