import { Button, Failure, SelectField, Skeleton, showToast, TextField } from '@agent-service/sdk/web'
import { createForm, FormView } from '@agent-service/sdk/web/forms'
import { createEffect, type JSX, on, Show } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import { t } from './user-tab-texts.js'

type Budget = Schemas['Budget']

/** The id under which the budget of everyone without one of their own is kept. */
const defaultId = 'default'

/** How much an account may spend on models: its own budget, or that for all. */
export function BudgetForm(props: { readonly userId: string }): JSX.Element {
  // What the form was filled with stays until it is saved.
  const budgets = createQuery({
    key: () => ['budgets', props.userId],
    read: (signal) => readBudgets(props.userId, signal),
    follow: false,
  })
  const own = (): Budget | undefined => budgets.value()?.find(({ user_id }) => user_id === props.userId)
  const general = (): Budget | undefined => budgets.value()?.find(({ user_id }) => user_id === defaultId)
  const form = createForm({
    initial: typedOf(undefined),
    submit: async ({ period, dollars, tokens }) => {
      const path = { user_id: props.userId }
      const [limitUsd, limitTokens] = [numberOf(dollars), numberOf(tokens)]
      const isRemoved = isEmpty()
      if (isRemoved) await api.delete('/api/admin/budgets/{user_id}', { path })
      else
        await api.put('/api/admin/budgets/{user_id}', {
          path,
          body: {
            period,
            ...(limitUsd !== undefined && { limit_usd: limitUsd }),
            ...(limitTokens !== undefined && { limit_tokens: limitTokens }),
          },
        })
      showToast(t(isRemoved ? 'budget_removed' : 'budget_saved'))
      await budgets.reload()
    },
  })
  createEffect(on(own, (budget) => form.reset(typedOf(budget))))
  const invalid = (text: string, whole: boolean): string | undefined => {
    const value = numberOf(text)
    if (text.trim() === '') return undefined
    return value === undefined || (whole && !Number.isInteger(value)) ? t(whole ? 'not_whole' : 'not_amount') : undefined
  }
  const isEmpty = (): boolean => form.values().dollars.trim() === '' && form.values().tokens.trim() === ''
  const canSave = (): boolean =>
    form.isDirty() &&
    (own() !== undefined || !isEmpty()) &&
    invalid(form.values().dollars, false) === undefined &&
    invalid(form.values().tokens, true) === undefined
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
        <FormView
          form={form}
          buttons={
            <Button type="submit" busy={form.busy()} disabled={!canSave()}>
              {t(isEmpty() && own() ? 'budget_remove' : 'budget_save')}
            </Button>
          }
        >
          <div class="usage-user-limits">
            <SelectField
              label={t('budget_period')}
              {...form.field('period')}
              choices={[
                { value: 'day', label: t('per_day') },
                { value: 'month', label: t('per_month') },
              ]}
            />
            <TextField
              label={t('limit_usd')}
              placeholder={t('no_limit')}
              {...form.field('dollars', '/limit_usd')}
              error={invalid(form.values().dollars, false) ?? form.problem('/limit_usd')}
            />
            <TextField
              label={t('limit_tokens')}
              placeholder={t('no_limit')}
              {...form.field('tokens', '/limit_tokens')}
              error={invalid(form.values().tokens, true) ?? form.problem('/limit_tokens')}
            />
          </div>
        </FormView>
      </Show>
    </section>
  )
}

const textOf = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value))

/** What the fields show of a budget. */
const typedOf = (budget: Budget | undefined): { readonly period: Budget['period']; readonly dollars: string; readonly tokens: string } => ({
  period: budget?.period ?? 'month',
  dollars: textOf(budget?.limit_usd),
  tokens: textOf(budget?.limit_tokens),
})

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
