import { Icon, SelectField, TextField } from '@agent-service/sdk/web'
import { JsonField } from '@agent-service/sdk/web/forms'
import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import { requestOfEntry } from '../../providers/draft.js'
import { createOffer } from '../../providers/offered-models.js'
import { protocolName } from '../../providers/protocol-words.js'
import type { Entry, Providers } from '../../providers/read-providers.js'
import type { Target } from './group.js'
import { t } from './texts.js'

const otherModel = '\u0000other'

/** The fields of one model of a group. */
export function TargetFields(props: {
  readonly target: Target
  readonly found: Providers
  readonly errorOf: (member: string) => string | undefined
  readonly onChange: (change: Partial<Target>) => void
}): JSX.Element {
  const entry = (): Entry | undefined => props.found.entries.find(({ handle }) => handle === props.target.provider)
  const protocols = (): readonly string[] => protocolsOf(entry(), props.found)
  return (
    <>
      <SelectField
        label={t('connection')}
        value={props.target.provider}
        error={props.errorOf('provider')}
        onInput={(provider) => props.onChange({ provider, model: '' })}
        choices={[
          ...(props.target.provider === '' ? [{ value: '', label: t('choose') }] : []),
          ...props.found.entries.filter(({ origin }) => origin !== 'removed').map(({ handle }) => ({ value: handle, label: handle })),
          ...(props.target.provider !== '' && entry() === undefined
            ? [{ value: props.target.provider, label: props.target.provider }]
            : []),
        ]}
      />
      <ModelField
        entry={entry()}
        model={props.target.model}
        error={props.errorOf('model')}
        onInput={(model) => props.onChange({ model })}
      />
      <details
        class="fold providers-more"
        open={['max_tokens', 'temperature', 'api', 'inline_reasoning', 'extra_params'].some((name) => props.errorOf(name) !== undefined)}
      >
        <summary>
          {t('parameters')} <Icon name="chevron-right" flip />
        </summary>
        <div>
          <div class="models-pair">
            <TextField
              label={t('max_tokens')}
              type="number"
              help={t('max_tokens_help')}
              value={props.target.maxTokens}
              error={props.errorOf('max_tokens')}
              onInput={(maxTokens) => props.onChange({ maxTokens })}
            />
            <TextField
              label={t('temperature')}
              type="number"
              help={t('temperature_help')}
              value={props.target.temperature}
              error={props.errorOf('temperature')}
              onInput={(temperature) => props.onChange({ temperature })}
            />
          </div>
          <Show when={protocols().length > 1 || props.target.api !== ''}>
            <SelectField
              label={t('protocol')}
              value={props.target.api}
              error={props.errorOf('api')}
              onInput={(api) => props.onChange({ api })}
              choices={[
                { value: '', label: t('protocol_default') },
                ...[...new Set([...protocols(), ...(props.target.api === '' ? [] : [props.target.api])])].map((value) => ({
                  value,
                  label: protocolName(value),
                })),
              ]}
            />
          </Show>
          <SelectField
            label={t('inline_reasoning')}
            help={t('inline_reasoning_help')}
            value={props.target.inlineReasoning}
            error={props.errorOf('inline_reasoning')}
            onInput={(inlineReasoning) => props.onChange({ inlineReasoning })}
            choices={[
              { value: '', label: t('inline_reasoning_auto') },
              { value: 'always', label: t('inline_reasoning_always') },
              { value: 'never', label: t('inline_reasoning_never') },
            ]}
          />
          <JsonField
            label="extra_params"
            help={t('extra_params_help')}
            value={props.target.extraParams}
            error={props.errorOf('extra_params')}
            onChange={(extraParams) => props.onChange({ extraParams: extraParams ?? {} })}
          />
        </div>
      </details>
    </>
  )
}

function protocolsOf(entry: Entry | undefined, { brands, adapters }: Providers): readonly string[] {
  const provider = String(entry?.saved?.['provider'] ?? entry?.running?.brand ?? entry?.handle ?? '')
  const adapter = entry?.saved?.['adapter'] ?? entry?.running?.adapter
  return brands.find(({ id }) => id === provider)?.protocols ?? adapters.find(({ id }) => id === adapter)?.protocols ?? []
}

/** Chooses one of the models that the connection offers, or names another one. */
function ModelField(props: {
  readonly entry: Entry | undefined
  readonly model: string
  readonly error: string | undefined
  readonly onInput: (model: string) => void
}): JSX.Element {
  const [typing, setTyping] = createSignal(false)
  const offer = createOffer(() => props.entry && requestOfEntry(props.entry))
  const models = () => (offer.value()?.models ?? []).filter(({ answers }) => answers !== false)
  createEffect(
    on(
      () => props.entry?.handle,
      () => setTyping(false),
      { defer: true },
    ),
  )
  const isListed = (): boolean => props.model === '' || models().some(({ id }) => id === props.model)
  return (
    <Show
      when={!typing() && models().length > 0 && isListed()}
      fallback={
        <TextField
          label={t('model')}
          mono
          help={offer.isLoading() && props.entry ? t('listing') : t('model_help')}
          value={props.model}
          error={props.error}
          onInput={props.onInput}
        />
      }
    >
      <SelectField
        label={t('model')}
        value={props.model}
        error={props.error}
        onInput={(id) => (id === otherModel ? setTyping(true) : props.onInput(id))}
        choices={[
          ...(props.model === '' ? [{ value: '', label: t('choose') }] : []),
          ...models().map(({ id }) => ({ value: id, label: id })),
          { value: otherModel, label: t('other_model') },
        ]}
      />
    </Show>
  )
}
