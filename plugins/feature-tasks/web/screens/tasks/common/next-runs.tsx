import { dayTimeText, differsInZone, Failure, zone as personsZone, Skeleton, zoneName } from '@agent-service/sdk/web'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery } from '../../../api/index.js'
import type { Task } from './task.js'
import { t } from './texts.js'

/** The next five times of a task, read when shown and when it changes. */
export function NextRuns(props: { readonly task: Task }): JSX.Element {
  const details = createQuery({
    key: () => ['task', props.task.id, 'times'],
    read: (signal) => api.get('/api/tasks/{task_id}', { path: { task_id: props.task.id }, signal }),
  })
  return (
    <Switch fallback={<Skeleton lines={3} />}>
      <Match when={details.error()}>{(error) => <Failure error={error()} onRetry={() => void details.reload()} />}</Match>
      <Match when={details.value()}>{(task) => <TimesTable times={task().next_times} zone={task().timezone} />}</Match>
    </Switch>
  )
}

/** Times in a zone, and in that of the person where they read differently. */
export function TimesTable(props: { readonly times: readonly string[]; readonly zone: string | null }): JSX.Element {
  const zone = (): string => props.zone ?? personsZone()
  const isForeign = (): boolean => differsInZone(props.times, zone())
  return (
    <Show when={props.times.length > 0} fallback={<p class="help">{t('no_times')}</p>}>
      <table class="tasks-times">
        <thead>
          <tr>
            <th scope="col">
              <bdi>{zoneName(zone())}</bdi>
            </th>
            <Show when={isForeign()}>
              <th scope="col">{t('here', { zone: zoneName(personsZone()) })}</th>
            </Show>
          </tr>
        </thead>
        <tbody>
          <For each={props.times}>
            {(time) => (
              <tr>
                <td class="num">{dayTimeText(time, zone())}</td>
                <Show when={isForeign()}>
                  <td class="num t2">{dayTimeText(time)}</td>
                </Show>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </Show>
  )
}
