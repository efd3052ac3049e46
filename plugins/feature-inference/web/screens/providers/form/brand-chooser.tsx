import { TextField } from '@agent-service/sdk/web'
import { ChoiceCards } from '@agent-service/sdk/web/configuration'
import { createMemo, createSignal, type JSX } from 'solid-js'
import { type Brand, otherEndpoint } from '../../../providers/draft.js'
import { t } from '../../../providers/texts.js'
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
  const [query, setQuery] = createSignal('')
  const enabled = createMemo(() => props.brands.filter((brand) => brand.enabled))
  const shown = createMemo((): readonly Brand[] => {
    if (query().trim() !== '') return matchingBrands(enabled(), query()).slice(0, maxShown)
    const first = commonBrands(enabled())
    const chosen = enabled().find(({ id }) => id === props.value)
    return chosen && !first.includes(chosen) ? [...first, chosen] : first
  })
  const choices = (): readonly string[] => [...(query().trim() === '' ? [otherEndpoint] : []), ...shown().map(({ id }) => id)]
  return (
    <>
      <TextField
        label={t('find_brand')}
        type="search"
        help={query().trim() === '' ? t('find_brand_help', { count: enabled().length }) : t('brands_found', { count: shown().length })}
        value={query()}
        onInput={setQuery}
      />
      <ChoiceCards legend={t('kind')} as="tiles" choices={choices()} value={props.value} onInput={props.onInput}>
        {(id) =>
          id === otherEndpoint ? (
            <>
              <b>{t('other_endpoint')}</b>
              <span class="small t2">{t('other_endpoint_text')}</span>
            </>
          ) : (
            <b>
              <bdi>{props.brands.find((brand) => brand.id === id)?.name}</bdi>
            </b>
          )
        }
      </ChoiceCards>
      <p class="sr" role="status">
        {query().trim() === '' ? '' : t('brands_found', { count: shown().length })}
      </p>
    </>
  )
}
