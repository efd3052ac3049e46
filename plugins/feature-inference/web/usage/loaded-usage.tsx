import { Failure, type Query, Segments, Skeleton } from '@agent-service/sdk/web'
import { type ComponentProps, type JSX, Match, Show, Switch } from 'solid-js'
import { type Period, periods, type Usage } from './read-usage.js'
import { Report } from './report.js'
import { t } from './texts.js'

/** The choice of how many days are shown. */
export const PeriodChoice = (props: { readonly value: Period; readonly onInput: (period: Period) => void }): JSX.Element => (
  <Segments
    label={t('period')}
    value={props.value}
    onInput={props.onInput}
    choices={periods.map((value) => ({ value, label: t('days', { count: Number(value) }) }))}
  />
)

/** A report once it has been read; before it, why not. */
export function LoadedUsage(props: {
  readonly usage: Query<Usage>
  /** In place of a report without a call. */
  readonly empty: JSX.Element
  readonly owners?: (usage: Usage) => ComponentProps<typeof Report>['owners']
}): JSX.Element {
  return (
    <>
      <Show when={props.usage.error()}>{(error) => <Failure error={error()} onRetry={() => void props.usage.reload()} />}</Show>
      <Switch fallback={<Show when={props.usage.error() === undefined}>{<Skeleton lines={8} />}</Show>}>
        <Match when={props.usage.value()?.calls === 0}>{props.empty}</Match>
        <Match when={props.usage.value()}>{(found) => <Report usage={found()} owners={props.owners?.(found())} />}</Match>
      </Switch>
    </>
  )
}
