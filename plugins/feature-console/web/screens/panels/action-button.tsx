import type { PanelAction } from '@agent-service/sdk/contracts/console-panel'
import { Button, confirmAction, errorText, showToast } from '@agent-service/sdk/web'
import { createSignal, type JSX } from 'solid-js'
import { callOwnRoute, pathOfRow } from './own-routes.js'
import { type Panel, panelText } from './panel.js'

/** Asks if the action says so, calls its route, reports, and lets the page read its data again. */
export function ActionButton(props: {
  readonly panel: Panel
  readonly action: PanelAction
  readonly row?: unknown
  readonly small?: boolean
  readonly onChanged: () => void
}): JSX.Element {
  const [busy, setBusy] = createSignal(false)
  const run = async (): Promise<void> => {
    const { action, panel, row } = props
    const label = panelText(action.label)
    if (action.confirm) {
      const yes = await confirmAction({ title: panelText(action.confirm.title), text: panelText(action.confirm.text), action: label })
      if (!yes) return
    }
    setBusy(true)
    try {
      await callOwnRoute(panel, action.method, pathOfRow(action.path, row), { body: action.body })
      showToast(panelText(action.done))
      props.onChanged()
    } catch (error) {
      showToast(errorText(error), { mark: 'fail' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      {...(props.small && { size: 'small' as const })}
      kind={props.action.confirm ? 'danger' : 'plain'}
      busy={busy()}
      onClick={() => void run()}
    >
      {panelText(props.action.label)}
    </Button>
  )
}
