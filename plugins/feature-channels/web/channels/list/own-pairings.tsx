import { Button, confirmAction, createAction, Failure, pageQuery, type Query, readAll, showToast } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { t } from '../common/texts.js'

type Pairing = Schemas['OwnChannelPairing']

export const readOwnPairings = (signal: AbortSignal): Promise<readonly Pairing[]> =>
  readAll((cursor) => api.get('/api/channels/pairings', { query: pageQuery(cursor), signal }))

/** Who the person is in channels that administrators share, and the end of it. Nothing while they are in none. */
export function OwnPairings(props: { readonly pairings: Query<readonly Pairing[]> }): JSX.Element {
  const ending = createAction(
    async ({ sender, title }: Pairing) => {
      await api.delete('/api/channels/pairings/{pairing_id}', { path: { pairing_id: sender.id } })
      showToast(t('unpaired', { title }))
    },
    { concurrent: true },
  )
  const end = async (pairing: Pairing): Promise<void> => {
    const isSure = await confirmAction({
      title: t('unpair_question', { title: pairing.title }),
      text: t('unpair_text'),
      action: t('unpair'),
      keep: t('keep'),
    })
    if (!isSure) return
    await ending.run(pairing)
    await props.pairings.reload()
  }
  return (
    <>
      <Show when={props.pairings.error()}>{(error) => <Failure error={error()} onRetry={() => void props.pairings.reload()} />}</Show>
      <Show when={ending.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={(props.pairings.value()?.length ?? 0) > 0}>
        <h2 class="h3 channels-head">{t('own_pairings')}</h2>
        <ul class="rows" aria-label={t('own_pairings')}>
          <For each={props.pairings.value()}>
            {(pairing) => (
              <li>
                <div class="channels-person">
                  <div class="channels-words">
                    <bdi class="key">{pairing.title}</bdi>
                    <p class="channels-sub">
                      <Show when={pairing.sender.name !== ''}>
                        <bdi>{pairing.sender.name}</bdi>
                      </Show>
                      <bdi class="mono">{pairing.sender.sender_id}</bdi>
                    </p>
                  </div>
                  <div class="channels-buttons">
                    <Button
                      size="small"
                      kind="danger"
                      label={t('unpair_title', { title: pairing.title })}
                      onClick={() => void end(pairing)}
                    >
                      {t('unpair')}
                    </Button>
                  </div>
                </div>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </>
  )
}
