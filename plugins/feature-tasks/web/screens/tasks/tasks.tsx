import './tasks.css'
import { currentQuery, Routes, route, type ScreenProps } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { isKind, type Kind } from './common/task.js'
import { EditTask, NewTask } from './form/task-form.js'
import { isTab, Overview, type TabName } from './overview.js'
import { RunPage } from './runs/run-page.js'
import { TaskPage } from './task-page.js'

/** What agents do in the background: lists, one task, one of its runs, or the form. */
export default function Tasks(props: ScreenProps): JSX.Element {
  /** All lists are one page: the focus stays in its tabs. */
  const tab = (): TabName | undefined => {
    const name = props.params['rest'] || 'all'
    return isTab(name) ? name : undefined
  }
  return (
    <Show
      when={tab()}
      fallback={
        <Routes
          of={[
            route('/tasks/new', () => <NewTask kind={wantedKind()} />),
            route('/tasks/:id/edit', ({ id }) => <EditTask id={id} />),
            route('/tasks/:task/runs/:id', ({ task, id }) => <RunPage taskId={task} id={id} />),
            route('/tasks/:id/*', ({ id }) => <TaskPage id={id} />),
          ]}
        />
      }
    >
      {(name) => <Overview tab={name()} />}
    </Show>
  )
}

function wantedKind(): Kind {
  const wanted = currentQuery().get('kind') ?? ''
  return isKind(wanted) ? wanted : 'task'
}
