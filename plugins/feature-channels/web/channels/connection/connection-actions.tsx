import { Button, confirmAction, Dialog, Failure, lazyPart, MenuButton, navigate, showToast, commonText as ui } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import type { Channel, ChannelApi, Connection } from '../common/channel-api.js'
import { t } from '../common/texts.js'

const CredentialsDialog = lazyPart(
  () => import('./credentials-dialog.js'),
  (module) => module.CredentialsDialog,
)

/** Connect now, pause and go on, enter the credentials again, delete. */
export function ConnectionActions(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  readonly kind: Channel | undefined
  readonly onChanged: () => void
}): JSX.Element {
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const [isEntering, setEntering] = createSignal(false)
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setFailure(undefined)
    setBusy(true)
    try {
      await work()
      props.onChanged()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const remove = async (): Promise<void> => {
    const { title, id } = props.connection
    const isSure = await confirmAction({
      title: t('delete_question', { title }),
      text: t(props.channels.isShared ? 'delete_text_shared' : 'delete_text'),
      action: t('delete'),
      keep: t('keep'),
    })
    if (!isSure) return
    setFailure(undefined)
    try {
      await props.channels.remove(id)
    } catch (error) {
      return void setFailure(error)
    }
    showToast(t('deleted', { title }))
    await navigate(props.channels.home, { replace: true })
  }
  const isWaiting = (): boolean => props.connection.state === 'retrying' || props.connection.state === 'failed'
  const enable = (enabled: boolean): void => void attempt(() => props.channels.change(props.connection.id, { enabled }))
  return (
    <>
      <Show when={isWaiting()}>
        <Button size="small" icon="refresh" busy={busy()} onClick={() => void attempt(() => props.channels.retry(props.connection.id))}>
          {t('retry')}
        </Button>
      </Show>
      <Show
        when={props.connection.enabled}
        fallback={
          <Button size="small" icon="player-play" busy={busy()} onClick={() => enable(true)}>
            {t('resume')}
          </Button>
        }
      >
        <Button size="small" icon="player-pause" busy={busy()} onClick={() => enable(false)}>
          {t('pause')}
        </Button>
      </Show>
      <MenuButton
        name={t('actions_for', { title: props.connection.title })}
        size="small"
        items={[
          { label: t('enter_again'), icon: 'plug', run: () => setEntering(true) },
          { label: t('delete'), icon: 'trash', danger: true, run: () => void remove() },
        ]}
      />
      <Show when={isEntering()}>
        <CredentialsDialog
          channels={props.channels}
          connection={props.connection}
          kind={props.kind}
          onClose={() => setEntering(false)}
          onDone={() => {
            setEntering(false)
            props.onChanged()
          }}
        />
      </Show>
      <Show when={failure()}>
        {(error) => (
          <Dialog title={t('not_done')} onClose={() => setFailure(undefined)}>
            <Failure error={error()} />
            <footer>
              <Button autofocus onClick={() => setFailure(undefined)}>
                {ui('close')}
              </Button>
            </footer>
          </Dialog>
        )}
      </Show>
    </>
  )
}
