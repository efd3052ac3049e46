import { Button, commonText, compactText, moneyText, numberText } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { CostChart, Legend } from './chart.js'
import { dayText, shareText } from './formats.js'
import { type Sum, tokensOf, type Usage } from './read-usage.js'
import { t } from './texts.js'

/** One line of the second table. */
export interface OwnerRow {
  readonly name: string
  readonly href?: string
  readonly sum: Sum
}

/** Sums as figures, a chart with its table, and by model and owner. */
export function Report(props: {
  readonly usage: Usage
  /** What the second table is about, and how its first column is called. Absent: there is none. */
  readonly owners?: { readonly title: string; readonly head: string; readonly rows: readonly OwnerRow[] } | undefined
}): JSX.Element {
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
          <dd class="usage-value num">{compactText(props.usage.tokens)}</dd>
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
        <Show when={props.owners}>
          {(owners) => (
            <SumTable title={owners().title} head={owners().head} rows={owners().rows.map((row) => ({ note: undefined, ...row }))} />
          )}
        </Show>
        <Show when={props.usage.purposes.length > 0}>
          <SumTable
            title={t('by_purpose')}
            head={t('purpose')}
            rows={props.usage.purposes.map((sum) => ({ name: purposeText(sum.purpose ?? null), note: undefined, sum }))}
          />
        </Show>
      </div>
    </>
  )
}

/** What calls were for. A purpose of a third party is shown as it is. */
function purposeText(purpose: string | null): string {
  if (purpose === null) return t('purpose_answers')
  if (purpose === 'memory') return t('purpose_memory')
  return purpose === 'title' ? t('purpose_title') : purpose
}

/** How much of the person's budget is used, if there is one. */
export function Budget(props: { readonly usage: Usage | undefined }): JSX.Element {
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
    const used = budget.limit_usd === null ? compactText(budget.used_tokens) : moneyText(budget.used_usd)
    const limit = budget.limit_usd === null ? compactText(budget.limit_tokens ?? 0) : moneyText(budget.limit_usd)
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

/** How many rows a table has at first, and more on request: there may be one for each person. */
const rowsInStep = 50

function SumTable(props: {
  readonly title: string
  readonly head: string
  readonly rows: readonly (OwnerRow & { readonly note: string | undefined })[]
}): JSX.Element {
  const [count, setCount] = createSignal(rowsInStep)
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
          <For each={props.rows.slice(0, count())}>
            {(row) => (
              <tr>
                <td>
                  <Show when={row.href} fallback={<bdi>{row.name}</bdi>}>
                    {(href) => (
                      <a class="key" href={href()}>
                        <bdi>{row.name}</bdi>
                      </a>
                    )}
                  </Show>
                  <Show when={row.note}>
                    <span class="t3"> {row.note}</span>
                  </Show>
                </td>
                <td class="r">{numberText(row.sum.calls)}</td>
                <td class="r">{compactText(tokensOf(row.sum))}</td>
                <td class="r">{moneyText(row.sum.cost_usd)}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
      <Show when={count() < props.rows.length}>
        <Button size="small" kind="quiet" onClick={() => setCount((before) => before + rowsInStep)}>
          {commonText('load_more')}
        </Button>
      </Show>
    </section>
  )
}

/** The sums by agent, each under its name. */
export const agentRows = ({ owners }: Usage): readonly OwnerRow[] =>
  owners.map(({ name, sum }) => ({ name: name ?? (sum.agent_id ? t('deleted') : t('no_agent')), sum }))

/** `usage-2026-11-01-2026-11-30.csv` */
export const fileName = (name: string, { days }: Usage): string => `${name}-${days[0]?.day}-${days.at(-1)?.day}.csv`
