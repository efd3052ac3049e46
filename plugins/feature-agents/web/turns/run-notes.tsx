import { compactText, durationText, moneyText, numberText } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../api/index.js'
import type { RunCost } from '../live-chat/run-facts.js'
import { t } from './texts.js'

/** What a run took: tokens, cost, time. */
export function RunNotes(props: { readonly run: Schemas['Run'] | undefined; readonly cost: RunCost | undefined }): JSX.Element {
  const tokens = (): number => (props.run ? props.run.usage.input_tokens + props.run.usage.output_tokens : 0)
  const took = (): string | undefined => {
    const { started_at = null, finished_at = null } = props.run ?? {}
    return started_at === null || finished_at === null ? undefined : durationText(Date.parse(finished_at) - Date.parse(started_at))
  }
  return (
    <>
      <Show when={tokens() > 0}>
        <span title={usageText(props.run)}>{t('tokens', { count: compactText(tokens()) })}</span>
      </Show>
      <Show when={props.cost && props.cost.usd > 0 ? props.cost : undefined}>{(cost) => <span>{moneyText(cost().usd)}</span>}</Show>
      <Show when={took()}>{(time) => <span>{time()}</span>}</Show>
    </>
  )
}

const usageText = (run: Schemas['Run'] | undefined): string =>
  run ? t('usage', { input: numberText(run.usage.input_tokens), output: numberText(run.usage.output_tokens) }) : ''
