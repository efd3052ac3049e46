import { durationText, numberText, showToast, TextField } from '@agent-service/sdk/web'
import { createForm, type FieldProblems, FormDialog } from '@agent-service/sdk/web/forms'
import { For, type JSX } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import type { ChannelApi, Connection } from '../common/channel-api.js'
import { t } from '../common/texts.js'

export const retryNames = ['max_retries', 'initial_backoff_ms', 'backoff_multiplier', 'max_backoff_ms'] as const
type RetryName = (typeof retryNames)[number]
type Texts = Readonly<Record<RetryName, string>>

/** What the service has by default: as good as no limit. */
const unlimited = 4_294_967_295

/** A value of the settings in words. */
export function retryText(name: RetryName, value: number): string {
  if (name === 'max_retries') return value >= unlimited ? t('no_limit') : numberText(value)
  return name === 'backoff_multiplier' ? `× ${numberText(value)}` : durationText(value)
}

/** How this connection is tried again. What is left empty is as the service has it. */
export function RetryDialog(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  readonly service: Schemas['ChannelRetrySettings']
  readonly onClose: () => void
  readonly onDone: () => void
}): JSX.Element {
  const form = createForm({
    initial: textsOf(props.connection.retry),
    check: problemsOf,
    async submit(texts) {
      const own = Object.fromEntries(retryNames.filter((name) => texts[name].trim() !== '').map((name) => [name, Number(texts[name])]))
      await props.channels.change(props.connection.id, { retry: Object.keys(own).length === 0 ? null : own })
      showToast(t('changed', { title: props.connection.title }))
      props.onDone()
    },
  })
  return (
    <FormDialog form={form} title={t('change_retry')} action={t('save')} onClose={props.onClose}>
      <p class="channels-note">{t('retry_again')}</p>
      <For each={retryNames}>
        {(name) => (
          <TextField
            label={t(`${name}_field`)}
            type="number"
            placeholder={String(props.service[name])}
            help={t('default_is', { value: retryText(name, props.service[name]) })}
            {...form.field(name, `/retry/${name}`)}
          />
        )}
      </For>
    </FormDialog>
  )
}

const textsOf = (own: Connection['retry']): Texts => {
  const text = (name: RetryName): string => (own?.[name] === undefined ? '' : String(own[name]))
  return {
    max_retries: text('max_retries'),
    initial_backoff_ms: text('initial_backoff_ms'),
    backoff_multiplier: text('backoff_multiplier'),
    max_backoff_ms: text('max_backoff_ms'),
  }
}

const limits: Readonly<Record<RetryName, { readonly min: number; readonly max: number }>> = {
  max_retries: { min: 0, max: unlimited },
  initial_backoff_ms: { min: 0, max: 86_400_000 },
  backoff_multiplier: { min: 1, max: 1_000 },
  max_backoff_ms: { min: 0, max: 86_400_000 },
}

function problemsOf(texts: Texts): FieldProblems {
  const wrong = retryNames.filter((name) => {
    const value = Number(texts[name])
    const { min, max } = limits[name]
    const isWhole = name === 'backoff_multiplier' || Number.isInteger(value)
    return texts[name].trim() !== '' && !(isWhole && value >= min && value <= max)
  })
  return Object.fromEntries(
    wrong.map((name) => {
      const { min, max } = limits[name]
      const range = { min: numberText(min), max: numberText(max) }
      return [`/retry/${name}`, t(name === 'backoff_multiplier' ? 'number_between' : 'whole_between', range)]
    }),
  )
}
