import { createMemo, createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { type Brand, otherEndpoint } from '../../../providers/draft.js'
import { t } from '../../../providers/texts.js'
import { TextField } from '../../../ui/field.js'
import { commonBrands, matchingBrands } from './brands.js'

/** How many are shown of what a search finds. */
const maxShown = 48

/**
 * Chooses the brand of a connection: an endpoint of one's own or a common brand at once, any other
 * one by a search.
 */
export function BrandChooser(props: {
  readonly brands: readonly Brand[]
  readonly value: string
  readonly onInput: (brand: string) => void
}): JSX.Element {
  const name = createUniqueId()
  const [query, setQuery] = createSignal('')
  const enabled = createMemo(() => props.brands.filter((brand) => brand.enabled))
  const shown = createMemo((): readonly Brand[] => {
    if (query().trim() !== '') return matchingBrands(enabled(), query()).slice(0, maxShown)
    const first = commonBrands(enabled())
    const chosen = enabled().find(({ id }) => id === props.value)
    return chosen && !first.includes(chosen) ? [...first, chosen] : first
  })
  return (
    <>
      <TextField
        label={t('find_brand')}
        type="search"
        help={query().trim() === '' ? t('find_brand_help', { count: enabled().length }) : t('brands_found', { count: shown().length })}
        value={query()}
        onInput={setQuery}
      />
      <fieldset class="providers-kind">
        <legend class="lbl">{t('kind')}</legend>
        <div class="providers-brands">
          <Show when={query().trim() === ''}>
            <Tile name={name} value={otherEndpoint} chosen={props.value} onInput={props.onInput}>
              <b>{t('other_endpoint')}</b>
              <span class="small t2">{t('other_endpoint_text')}</span>
            </Tile>
          </Show>
          <For each={shown()}>
            {(brand) => (
              <Tile name={name} value={brand.id} chosen={props.value} onInput={props.onInput}>
                <b>
                  <bdi>{brand.name}</bdi>
                </b>
              </Tile>
            )}
          </For>
        </div>
      </fieldset>
      <p class="sr" role="status">
        {query().trim() === '' ? '' : t('brands_found', { count: shown().length })}
      </p>
    </>
  )
}

function Tile(props: {
  readonly name: string
  readonly value: string
  readonly chosen: string
  readonly onInput: (value: string) => void
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <label>
      <input type="radio" name={props.name} checked={props.value === props.chosen} onChange={() => props.onInput(props.value)} />
      <span class="providers-facts">{props.children}</span>
    </label>
  )
}
