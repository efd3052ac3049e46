import './tasks.css'
import { currentQuery, type ScreenProps } from '@agent-service/sdk/web'
import { type JSX, Match, Switch } from 'solid-js'
import { isKind } from './common/task.js'
import { EditTask, NewTask } from './form/task-form.js'
import { isTab, Overview, type TabName } from './overview.js'
import { RunPage } from './runs/run-page.js'
import { TaskPage } from './task-page.js'

/** What agents do in the background: lists, one task, one of its runs, or the form. */
export default function Tasks(props: ScreenProps): JSX.Element {
  const segments = (): readonly string[] => (props.params['rest'] ?? '').split('/').filter(Boolean)
  const first = (): string => segments()[0] ?? 'all'
  const tab = (): TabName | undefined => {
    const name = first()
    return segments().length < 2 && isTab(name) ? name : undefined
  }
  const part = (): string | undefined => segments()[1]
  const kind = () => {
    const wanted = currentQuery().get('kind') ?? ''
    return isKind(wanted) ? wanted : 'task'
  }
  return (
    <Switch>
      <Match when={tab()}>{(name) => <Overview tab={name()} />}</Match>
      <Match when={first() === 'new'}>
        <NewTask kind={kind()} />
      </Match>
      <Match when={part() === 'edit'}>
        <EditTask id={first()} />
      </Match>
      <Match when={part() === 'runs' && segments()[2]} keyed>
        {(id) => <RunPage taskId={first()} id={id} />}
      </Match>
      <Match when={first()} keyed>
        {(id) => <TaskPage id={id} />}
      </Match>
    </Switch>
  )
}
