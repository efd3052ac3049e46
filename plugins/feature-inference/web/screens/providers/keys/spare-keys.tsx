import { Button, confirmAction, createAction, Failure, showToast, whenText } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { api, invalidate } from '../../../api/index.js'
import type { Credential } from '../../../providers/draft.js'
import { t } from '../../../providers/texts.js'

/** Saved keys that no connection uses. */
export function SpareKeys(props: { readonly credentials: readonly Credential[] }): JSX.Element {
  const remove = createAction(async (credential: Credential) => {
    const yes = await confirmAction({
      title: t('delete_key_question', { label: credential.label }),
      text: t('delete_key_text'),
      action: t('delete_key'),
    })
    if (!yes) return
    await api.delete('/api/admin/credentials/{credential_id}', { path: { credential_id: credential.id } })
    showToast(t('key_deleted', { label: credential.label }))
    invalidate(['providers'])
  })
  return (
    <Show when={props.credentials.length > 0}>
      <section class="providers-part" aria-labelledby="spare-keys">
        <h2 class="h3" id="spare-keys">
          {t('spare_keys')}
        </h2>
        <Show when={remove.failure()}>{(error) => <Failure error={error()} />}</Show>
        <ul class="rows">
          <For each={props.credentials}>
            {(credential) => (
              <li class="item">
                <span class="grow">
                  <bdi>{credential.label}</bdi>
                  <span class="sub">
                    {credential.hint === '' ? t('key_stored') : t('key_hint', { hint: `…${credential.hint}` })} ·{' '}
                    {whenText(credential.created_at)}
                  </span>
                </span>
                <Button
                  size="small"
                  kind="danger"
                  label={t('delete_key_of', { label: credential.label })}
                  onClick={() => void remove.run(credential)}
                >
                  {t('delete')}
                </Button>
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  )
}
