import './web-access.css'
import { Page } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import { BrowserPart } from './browser-part.js'
import { SearchPart } from './search-part.js'
import { t } from './texts.js'

/** Whether agents can search the web and use a browser, why not, and a test of each. */
export default function WebAccess(): JSX.Element {
  return (
    <Page title={t('title')} lead={t('lead')}>
      <SearchPart />
      <BrowserPart />
    </Page>
  )
}
