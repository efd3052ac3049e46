import { Button, createLoaded, Failure, SelectField, Skeleton, showToast, TextField } from '@agent-service/sdk/web'
import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { t } from './user-tab-texts.js'

type Budget = Schemas['Budget']

/** The id under which the budget of everyone without one of their own is kept. */
const defaultId = 'default'

/** How much an account may spend on models: its own budget, or that for all. */
export function BudgetForm(props: { readonly userId: string }): JSX.Element {
  const budgets = createLoaded(async (signal) => ({ list: await readBudgets(props.userId, signal) }))
  const [period, setPeriod] = createSignal<Budget['period']>('month')
  const [dollars, setDollars] = createSignal('')
  const [tokens, setTokens] = createSignal('')
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const own = (): Budget | undefined => budgets.value()?.list.find(({ user_id }) => user_id === props.userId)
  const general = (): Budget | undefined => budgets.value()?.list.find(({ user_id }) => user_id === defaultId)
  createEffect(
    on(own, (budget) => {
      setPeriod(budget?.period ?? 'month')
      setDollars(textOf(budget?.limit_usd))
      setTokens(textOf(budget?.limit_tokens))
    }),
  )
  const invalid = (text: string, whole: boolean): string | undefined => {
    const value = numberOf(text)
    if (text.trim() === '') return undefined
    return value === undefined || (whole && !Number.isInteger(value)) ? t(whole ? 'not_whole' : 'not_amount') : undefined
  }
  const isEmpty = (): boolean => dollars().trim() === '' && tokens().trim() === ''
  const isChanged = (): boolean =>
    dollars() !== textOf(own()?.limit_usd) || tokens() !== textOf(own()?.limit_tokens) || (!isEmpty() && period() !== own()?.period)
  const canSave = (): boolean => isChanged() && invalid(dollars(), false) === undefined && invalid(tokens(), true) === undefined
  const save = async (): Promise<void> => {
    if (busy() || !canSave()) return
    const path = { user_id: props.userId }
    const [limitUsd, limitTokens] = [numberOf(dollars()), numberOf(tokens())]
    setBusy(true)
    setFailure(undefined)
    try {
      if (isEmpty()) await api.delete('/api/admin/budgets/{user_id}', { path })
      else
        await api.put('/api/admin/budgets/{user_id}', {
          path,
          body: {
            period: period(),
            ...(limitUsd !== undefined && { limit_usd: limitUsd }),
            ...(limitTokens !== undefined && { limit_tokens: limitTokens }),
          },
        })
      showToast(t(isEmpty() ? 'budget_removed' : 'budget_saved'))
      await budgets.reload()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section class="usage-user-budget" aria-labelledby="usage-user-budget">
      <header class="usage-user-head">
        <h2 class="h3" id="usage-user-budget">
          {t('budget')}
        </h2>
      </header>
      <Show when={budgets.error()}>{(error) => <Failure error={error()} onRetry={() => void budgets.reload()} />}</Show>
      <Show when={budgets.value()} fallback={<Show when={budgets.error() === undefined}>{<Skeleton lines={3} />}</Show>}>
        <p class="usage-user-say">{t(own() ? 'budget_own' : general() ? 'budget_general' : 'budget_none')}</p>
        <form
          novalidate
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <div class="usage-user-limits">
            <SelectField
              label={t('budget_period')}
              value={period()}
              onInput={setPeriod}
              choices={[
                { value: 'day', label: t('per_day') },
                { value: 'month', label: t('per_month') },
              ]}
            />
            <TextField
              label={t('limit_usd')}
              value={dollars()}
              onInput={setDollars}
              placeholder={t('no_limit')}
              error={invalid(dollars(), false)}
            />
            <TextField
              label={t('limit_tokens')}
              value={tokens()}
              onInput={setTokens}
              placeholder={t('no_limit')}
              error={invalid(tokens(), true)}
            />
          </div>
          <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
          <Button type="submit" busy={busy()} disabled={!canSave()}>
            {t(isEmpty() && own() ? 'budget_remove' : 'budget_save')}
          </Button>
        </form>
      </Show>
    </section>
  )
}

const textOf = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value))

/** A positive number with a point or a comma. */
function numberOf(text: string): number | undefined {
  const value = Number(text.trim().replace(',', '.'))
  return text.trim() === '' || !Number.isFinite(value) || value < 0 ? undefined : value
}

/** The budget of an account and the general one, as far as they are there. */
async function readBudgets(userId: string, signal: AbortSignal): Promise<readonly Budget[]> {
  const found: Budget[] = []
  let cursor: string | null = null
  do {
    const page: Schemas['BudgetPage'] = await api.get('/api/admin/budgets', {
      query: { limit: 200, ...(cursor !== null && { cursor }) },
      signal,
    })
    found.push(...page.items.filter(({ user_id }) => user_id === userId || user_id === defaultId))
    cursor = page.next_cursor
  } while (cursor !== null && found.length < 2)
  return found
}
