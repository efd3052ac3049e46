import { CopyButton, Icon } from '@agent-service/sdk/web'
import { StreamedText } from '@agent-service/sdk/web/markdown'
import { For, type JSX, Show } from 'solid-js'
import type { Channel } from '../common/channel-api.js'
import { t } from '../common/texts.js'
import { fieldTitles, isForeign, stepsOf } from '../words/channel-words.js'

const placeholder = '{webhook_url}'

/** Whether a step needs the address at which the vendor reaches the connection. */
export const needsAddress = ({ text }: { readonly text: string }): boolean => text.includes(placeholder)

/** The steps at the vendor, in order. Their links open elsewhere; their Markdown runs and loads nothing. */
export function SetUpSteps(props: {
  readonly kind: Channel
  /** Where the vendor reaches the connection, once it is there. */
  readonly address?: string | null
  /** Only those that need the address. */
  readonly onlyWithAddress?: boolean
}): JSX.Element {
  const steps = () => stepsOf(props.kind).filter((step) => !props.onlyWithAddress || needsAddress(step))
  const text = (step: { readonly text: string }): string =>
    step.text
      .replaceAll(`\`${placeholder}\``, placeholder)
      .replaceAll(placeholder, props.address ? `\`${props.address}\`` : `*${t('address_later')}*`)
  return (
    <ol class="channels-steps" lang={isForeign(props.kind.id) ? 'en' : undefined}>
      <For each={steps()}>
        {(step) => (
          <li>
            <div class="channels-step">
              <h3 class="channels-step-title">{step.title}</h3>
              <StreamedText text={text(step)} open={false} />
              <Show when={props.address && needsAddress(step) && props.address}>
                {(address) => <CopyButton text={address} label={t('copy_address')} />}
              </Show>
              <Show when={vendorPage(step.url)}>
                {(url) => (
                  <p class="small">
                    <a href={url()} target="_blank" rel="noopener noreferrer">
                      <bdi>{new URL(url()).host}</bdi> <Icon name="external-link" label={t('opens_outside')} />
                    </a>
                  </p>
                )}
              </Show>
              <Show when={fieldTitles(props.kind, step.members).length > 0}>
                <p class="channels-sub">{t('goes_into', { fields: fieldTitles(props.kind, step.members).join(', ') })}</p>
              </Show>
            </div>
          </li>
        )}
      </For>
    </ol>
  )
}

/** A page of the vendor; undefined for what is none, whatever a plugin says. */
const vendorPage = (url: string | null): string | undefined =>
  url !== null && /^https:\/\/[^\s/]/.test(url) && URL.canParse(url) ? url : undefined
