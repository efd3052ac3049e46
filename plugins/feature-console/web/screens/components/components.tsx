import type { JSX } from 'solid-js'
import { Page } from '../../ui/page.js'

export default function Components(): JSX.Element {
  return (
    <Page title="Components" lead="Every state in one place.">
      <p />
    </Page>
  )
}
