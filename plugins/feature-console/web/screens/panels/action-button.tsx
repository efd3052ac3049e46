import type { PanelAction } from '@agent-service/sdk/contracts/console-panel'
import { Button, confirmAction, createAction, errorText, showToast } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import { invalidate } from '../../api/index.js'
import { callOwnRoute, pathOfRow } from './own-routes.js'
import { dataKey, type Panel, panelText } from './panel.js'

/** Asks if the action says so, calls its route, reports, and has the page read its data again. */
export function ActionButton(props: {
  readonly panel: Panel
  readonly action: PanelAction
  readonly row?: unknown
  readonly small?: boolean
}): JSX.Element {
  const calling = createAction(async () => {
    const { action, panel, row } = props
    await callOwnRoute(panel, action.method, pathOfRow(action.path, row), { body: action.body })
    showToast(panelText(action.done))
    invalidate(dataKey(panel))
  })
  const run = async (): Promise<void> => {
    const { action } = props
    const label = panelText(action.label)
    if (action.confirm) {
      const yes = await confirmAction({ title: panelText(action.confirm.title), text: panelText(action.confirm.text), action: label })
      if (!yes) return
    }
    await calling.run()
    const failure = calling.failure()
    if (failure !== undefined) showToast(errorText(failure), { mark: 'fail' })
  }
  return (
    <Button
      {...(props.small && { size: 'small' as const })}
      kind={props.action.confirm ? 'danger' : 'plain'}
      busy={calling.busy()}
      onClick={() => void run()}
    >
      {panelText(props.action.label)}
    </Button>
  )
}
