import './usage.css'
import { createSignal, For, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { onEvent } from '../../api/events.js'
import { createLoaded } from '../../api/loaded.js'
import { numberText } from '../../i18n/formats.js'
import { Button } from '../../ui/button.js'
import { Page } from '../../ui/page.js'
import { EmptyState, Failure, Skeleton } from '../../ui/states.js'
import { Segments } from '../../ui/tabs.js'
import { CostChart, Legend } from './chart.js'
import { csvOf } from './csv.js'
import { amountText, dayText, moneyText, shareText } from './formats.js'
import { type Period, periods, readUsage, type Sum, tokensOf, type Usage } from './read-usage.js'
import { t } from './texts.js'

const reloadPauseMs = 1_000

/** What the person's model calls used and cost. */
export default function UsageScreen(): JSX.Element {
  const [period, setPeriod] = createSignal<Period>('30')
  const usage = createLoaded((signal) => readUsage(period(), signal))
  let timer: ReturnType<typeof setTimeout> | undefined
  const reloadSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void usage.reload(), reloadPauseMs)
  }
  onCleanup(onEvent('usage.recorded', reloadSoon))
  onCleanup(onEvent('run.failed', reloadSoon))
  onCleanup(onEvent('reset', reloadSoon))
  onCleanup(() => clearTimeout(timer))
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Segments
            label={t('period')}
            value={period()}
            onInput={setPeriod}
            choices={periods.map((value) => ({ value, label: t('days', { count: Number(value) }) }))}
          />
          <Button icon="download" disabled={usage.value() === undefined} onClick={() => download(usage.value())}>
            {t('csv')}
          </Button>
        </>
      }
    >
      <Show when={usage.error()}>{(error) => <Failure error={error()} onRetry={() => void usage.reload()} />}</Show>
      <Switch fallback={<Show when={usage.error() === undefined}>{<Skeleton lines={8} />}</Show>}>
        <Match when={usage.value()?.calls === 0}>
          <Budget usage={usage.value()} />
          <EmptyState title={t('empty')} text={t('empty_text')} />
        </Match>
        <Match when={usage.value()}>{(found) => <Report usage={found()} />}</Match>
      </Switch>
    </Page>
  )
}

function Report(props: { readonly usage: Usage }): JSX.Element {
  return (
    <>
      <dl class="usage-figures">
        <div>
          <dt>{t('cost')}</dt>
          <dd class="usage-figure num">{moneyText(props.usage.cost)}</dd>
          <dd class="meta">{props.usage.unpriced > 0 ? t('unpriced', { count: props.usage.unpriced }) : ''}</dd>
        </div>
        <div>
          <dt>{t('tokens')}</dt>
          <dd class="usage-value num">{amountText(props.usage.tokens)}</dd>
          <dd class="meta">{t('cached', { share: shareText(props.usage.cachedShare) })}</dd>
        </div>
        <div>
          <dt>{t('calls')}</dt>
          <dd class="usage-value num">{numberText(props.usage.calls)}</dd>
          <dd class="meta">{t('failed', { count: props.usage.failed })}</dd>
        </div>
      </dl>
      <Budget usage={props.usage} />
      <section class="usage-part" aria-labelledby="usage-days">
        <header class="usage-head">
          <h2 class="h3" id="usage-days">
            {t('per_day')}
          </h2>
          <Legend usage={props.usage} />
        </header>
        <CostChart usage={props.usage} />
        <details class="fold usage-fold" open>
          <summary>{t('as_table')}</summary>
          <DayTable usage={props.usage} />
        </details>
      </section>
      <div class="usage-two">
        <SumTable
          title={t('by_model')}
          head={t('model')}
          rows={props.usage.models.map((sum) => ({ name: sum.model ?? t('unknown'), note: sum.provider, sum }))}
        />
        <SumTable
          title={t('by_agent')}
          head={t('agent')}
          rows={props.usage.agents.map(({ name, sum }) => ({
            name: name ?? (sum.agent_id ? t('deleted') : t('no_agent')),
            note: undefined,
            sum,
          }))}
        />
      </div>
    </>
  )
}

/** How much of the person's budget is used, if there is one. */
function Budget(props: { readonly usage: Usage | undefined }): JSX.Element {
  const state = () => props.usage?.budget
  const share = (): number => {
    const budget = state()
    if (!budget) return 0
    const parts = [
      budget.limit_usd === null ? 0 : budget.used_usd / Math.max(budget.limit_usd, 1e-9),
      budget.limit_tokens === null ? 0 : budget.used_tokens / Math.max(budget.limit_tokens, 1),
    ]
    return Math.max(...parts)
  }
  const text = (): string => {
    const budget = state()
    if (!budget) return ''
    const used = budget.limit_usd === null ? amountText(budget.used_tokens) : moneyText(budget.used_usd)
    const limit = budget.limit_usd === null ? amountText(budget.limit_tokens ?? 0) : moneyText(budget.limit_usd)
    return t(budget.period === 'day' ? 'budget_day' : 'budget_month', { used, limit, share: shareText(share()) })
  }
  return (
    <Show when={state()}>
      <div class="usage-budget">
        <span class="usage-meter" classList={{ high: share() >= 0.8 }} aria-hidden="true">
          <i ref={(element) => element.style.setProperty('--share', `${Math.min(100, share() * 100)}%`)} />
        </span>
        <span class="small num">{text()}</span>
      </div>
    </Show>
  )
}

/** The numbers of the chart; days without calls are left out. */
function DayTable(props: { readonly usage: Usage }): JSX.Element {
  return (
    <section class="table-wrap" tabindex="0" aria-label={t('per_day')}>
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">{t('day')}</th>
            <For each={props.usage.series}>
              {(series) => (
                <th scope="col" class="r">
                  {series.name ?? t('others')}
                </th>
              )}
            </For>
            <th scope="col" class="r">
              {t('total')}
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.usage.days.filter(({ total }) => total > 0).reverse()}>
            {(day) => (
              <tr>
                <td>{dayText(day.day)}</td>
                <For each={day.values}>{(value) => <td class="r">{moneyText(value)}</td>}</For>
                <td class="r">{moneyText(day.total)}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}

function SumTable(props: {
  readonly title: string
  readonly head: string
  readonly rows: readonly { readonly name: string; readonly note: string | undefined; readonly sum: Sum }[]
}): JSX.Element {
  return (
    <section class="usage-part">
      <h2 class="h3">{props.title}</h2>
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">{props.head}</th>
            <th scope="col" class="r">
              {t('calls')}
            </th>
            <th scope="col" class="r">
              {t('tokens')}
            </th>
            <th scope="col" class="r">
              {t('cost')}
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.rows}>
            {(row) => (
              <tr>
                <td>
                  <bdi>{row.name}</bdi>
                  <Show when={row.note}>
                    <span class="t3"> {row.note}</span>
                  </Show>
                </td>
                <td class="r">{numberText(row.sum.calls)}</td>
                <td class="r">{amountText(tokensOf(row.sum))}</td>
                <td class="r">{moneyText(row.sum.cost_usd)}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}

function download(usage: Usage | undefined): void {
  if (!usage) return
  const address = URL.createObjectURL(new Blob([csvOf(usage, 'others')], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `usage-${usage.days[0]?.day}-${usage.days.at(-1)?.day}.csv`
  link.click()
  URL.revokeObjectURL(address)
}
