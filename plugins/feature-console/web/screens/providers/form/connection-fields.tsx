import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { Field, PasswordField, SelectField, TextField } from '../../../ui/field.js'
import { Icon } from '../../../ui/icon.js'
import { type Adapter, type Brand, type Draft, freeHandle, otherEndpoint } from '../common/draft.js'
import { t } from '../common/texts.js'

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
        <KindField draft={props.draft} brands={props.brands} onInput={choose} />
      </Show>
      <Show when={props.draft.brand === otherEndpoint}>
        <SelectField
          label={t('protocol_family')}
          help={t('protocol_family_help')}
          value={props.draft.adapter}
          onInput={(adapter) => props.onChange({ adapter })}
          choices={props.adapters.map(({ id, name }) => ({ value: id, label: name }))}
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

/** The kinds of connections that installed plugins can call, the built-in ones first. */
function KindField(props: {
  readonly draft: Draft
  readonly brands: readonly Brand[]
  readonly onInput: (id: string) => void
}): JSX.Element {
  const of = (kind: Brand['kind']): readonly Brand[] =>
    props.brands.filter((brand) => brand.kind === kind && brand.enabled).sort((one, other) => one.name.localeCompare(other.name))
  const options = (brands: readonly Brand[]): JSX.Element => (
    <For each={brands}>
      {(brand) => (
        <option value={brand.id} selected={brand.id === props.draft.brand}>
          {brand.name}
        </option>
      )}
    </For>
  )
  return (
    <Field label={t('kind')} help={t('kind_help')}>
      {({ id, describedBy }) => (
        <span class="in">
          <select id={id} aria-describedby={describedBy} onChange={(event) => props.onInput(event.currentTarget.value)}>
            <optgroup label={t('built_in')}>{options(of('built_in'))}</optgroup>
            <optgroup label={t('own')}>
              <option value={otherEndpoint} selected={props.draft.brand === otherEndpoint}>
                {t('other_endpoint')}
              </option>
            </optgroup>
            <optgroup label={t('compatible')}>{options(of('compatible'))}</optgroup>
          </select>
          <Icon name="chevron-down" />
        </span>
      )}
    </Field>
  )
}
