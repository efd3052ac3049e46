import { Icon, PasswordField, SelectField, TextField } from '@agent-service/sdk/web'
import { type JSX, Match, Show, Switch } from 'solid-js'
import { type Adapter, type Brand, type Draft, freeHandle, otherEndpoint } from '../../../providers/draft.js'
import { familyName } from '../../../providers/protocol-words.js'
import { t } from '../../../providers/texts.js'
import { BrandChooser } from './brand-chooser.js'

/** The fields of a connection. Which ones there are depends on its kind. */
export function ConnectionFields(props: {
  readonly draft: Draft
  readonly brands: readonly Brand[]
  readonly adapters: readonly Adapter[]
  readonly taken: readonly string[]
  /** An entry that is there already keeps its handle and kind. */
  readonly isNew: boolean
  /** Whether a key is stored: an empty field keeps it. */
  readonly hasKey: boolean
  readonly errorOf: (member: string) => string | undefined
  /** The sign-in with an account, where the brand has one. */
  readonly account?: JSX.Element
  readonly onChange: (change: Partial<Draft>) => void
}): JSX.Element {
  const brand = (): Brand | undefined => props.brands.find(({ id }) => id === props.draft.brand)
  const needsKey = (): boolean => brand()?.authentication.every((way) => way === 'api_key') ?? false
  const takesKey = (): boolean => brand() === undefined || (brand()?.authentication.includes('api_key') ?? false)
  const needsAddress = (): boolean =>
    brand()?.requires_base_url ?? props.adapters.find(({ id }) => id === props.draft.adapter)?.requires_base_url ?? true
  const choose = (id: string): void =>
    props.onChange({ brand: id, ...(props.isNew && { handle: freeHandle(id === otherEndpoint ? 'endpoint' : id, props.taken) }) })
  return (
    <>
      <Show when={props.isNew}>
        <BrandChooser brands={props.brands} value={props.draft.brand} onInput={choose} />
      </Show>
      <Show when={props.draft.brand === otherEndpoint}>
        <SelectField
          label={t('protocol_family')}
          help={t('protocol_family_help')}
          value={props.draft.adapter}
          onInput={(adapter) => props.onChange({ adapter })}
          choices={props.adapters.map(({ id, name }) => ({ value: id, label: familyName(name) }))}
        />
      </Show>
      <Show when={needsAddress() || props.draft.brand === otherEndpoint}>
        <TextField
          label={t('address')}
          type="url"
          mono
          help={t('address_help')}
          placeholder="https://models.example.com/v1"
          required={needsAddress()}
          value={props.draft.baseUrl}
          error={props.errorOf('base_url')}
          onInput={(baseUrl) => props.onChange({ baseUrl })}
        />
      </Show>
      {props.account}
      <Show when={takesKey()}>
        <PasswordField
          label={t('key')}
          autocomplete="off"
          help={props.hasKey ? t('key_kept') : needsKey() ? t('key_help') : t('key_optional')}
          value={props.draft.key}
          error={props.errorOf('api_key')}
          onInput={(key) => props.onChange({ key })}
        />
      </Show>
      <Switch>
        <Match when={props.draft.brand === 'azure'}>
          <TextField
            label={t('api_version')}
            mono
            value={props.draft.apiVersion}
            onInput={(apiVersion) => props.onChange({ apiVersion })}
          />
        </Match>
        <Match when={brand() !== undefined && !takesKey() && props.draft.brand.includes('bedrock')}>
          <TextField
            label={t('region')}
            mono
            placeholder="eu-central-1"
            value={props.draft.region}
            onInput={(region) => props.onChange({ region })}
          />
          <TextField label={t('profile')} mono value={props.draft.profile} onInput={(profile) => props.onChange({ profile })} />
        </Match>
      </Switch>
      <details class="fold providers-more" open={props.errorOf('handle') !== undefined}>
        <summary>
          {t(props.draft.brand === otherEndpoint || needsAddress() ? 'handle' : 'more')} <Icon name="chevron-right" flip />
        </summary>
        <div>
          <TextField
            label={t('handle')}
            mono
            readOnly={!props.isNew}
            help={t('handle_help')}
            value={props.draft.handle}
            error={props.errorOf('handle')}
            onInput={(handle) => props.onChange({ handle })}
          />
          <Show when={!needsAddress() && props.draft.brand !== otherEndpoint}>
            <TextField
              label={t('address')}
              type="url"
              mono
              help={t('address_other')}
              placeholder={brand()?.base_url ?? ''}
              value={props.draft.baseUrl}
              error={props.errorOf('base_url')}
              onInput={(baseUrl) => props.onChange({ baseUrl })}
            />
          </Show>
        </div>
      </details>
    </>
  )
}
