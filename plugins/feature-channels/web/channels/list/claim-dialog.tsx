import { momentText, showToast, TextField, whenText } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { t } from '../common/texts.js'

type Claim = Schemas['ClaimedChannelPairing']

/** Takes the code that a shared channel has shown to the person, once they have seen whose it is and said that it is they. */
export function ClaimDialog(props: { readonly onClose: () => void; readonly onDone: () => void }): JSX.Element {
  const [shown, setShown] = createSignal<Claim>()
  const form = createForm({
    initial: { code: '' },
    check: ({ code }) => (code.trim() === '' ? { '/code': t('required') } : {}),
    submit: async ({ code }) => setShown(await api.post('/api/channels/pairings/claim', { body: { code: code.trim() } })),
  })
  const question = createForm({
    initial: {},
    async submit() {
      const body = { code: form.values().code.trim(), sender_id: shown()?.sender.sender_id ?? '' }
      await api.post('/api/channels/pairings/claim', { body })
      showToast(t('claimed'))
      props.onDone()
    },
  })
  return (
    <Show
      when={shown()}
      keyed
      fallback={
        <FormDialog form={form} title={t('claim_title')} action={t('claim_look')} onClose={props.onClose}>
          <p class="channels-note">{t('claim_text')}</p>
          <TextField label={t('code')} mono autofocus maxLength={20} help={t('claim_help')} {...form.field('code')} />
        </FormDialog>
      }
    >
      {(found) => (
        <FormDialog form={question} title={t('claim_question')} action={t('claim_action')} onClose={props.onClose}>
          <Claimed claim={found} />
        </FormDialog>
      )}
    </Show>
  )
}

/** Whose the code is, and what they have written: plain text, whatever it is. */
function Claimed(props: { readonly claim: Claim }): JSX.Element {
  return (
    <>
      <dl class="channels-facts">
        <div>
          <dt>{t('connection')}</dt>
          <dd>
            <bdi>{props.claim.title}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('name')}</dt>
          <dd>
            <bdi>{props.claim.sender.name === '' ? t('nameless') : props.claim.sender.name}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('vendor_id')}</dt>
          <dd>
            <bdi class="mono">{props.claim.sender.sender_id}</bdi>
          </dd>
        </div>
      </dl>
      <Show when={props.claim.messages.length > 0}>
        <h3 class="h3 channels-head">{t('claim_wrote')}</h3>
        <ul class="rows channels-wrote" aria-label={t('claim_wrote')}>
          <For each={props.claim.messages}>
            {(message) => (
              <li>
                <p class="channels-text">{message.text}</p>
                <p class="channels-sub" title={momentText(message.at)}>
                  {whenText(message.at)}
                </p>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <p class="channels-note channels-head">{t('claim_warning')}</p>
    </>
  )
}
