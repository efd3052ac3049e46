import {
  Button,
  confirmAction,
  createAction,
  Dialog,
  Failure,
  lazyPart,
  MenuButton,
  navigate,
  showToast,
  commonText as ui,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import type { Channel, ChannelApi, Connection } from '../common/channel-api.js'
import { readAgain } from '../common/channel-queries.js'
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
}): JSX.Element {
  const [isEntering, setEntering] = createSignal(false)
  const change = createAction(async (work: (id: string) => Promise<unknown>) => {
    await work(props.connection.id)
    readAgain(props.connection.id)
  })
  const removal = createAction(async () => {
    const { title, id } = props.connection
    await props.channels.remove(id)
    showToast(t('deleted', { title }))
    await navigate(props.channels.home, { replace: true })
  })
  const remove = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('delete_question', { title: props.connection.title }),
      text: t(props.channels.isShared ? 'delete_text_shared' : 'delete_text'),
      action: t('delete'),
      keep: t('keep'),
    })
    if (isSure) await removal.run()
  }
  const failed = () => [change, removal].find((action) => action.failure() !== undefined)
  const isWaiting = (): boolean => props.connection.state === 'retrying' || props.connection.state === 'failed'
  const enable = (enabled: boolean): void => void change.run((id) => props.channels.change(id, { enabled }))
  return (
    <>
      <Show when={isWaiting()}>
        <Button size="small" icon="refresh" busy={change.busy()} onClick={() => void change.run(props.channels.retry)}>
          {t('retry')}
        </Button>
      </Show>
      <Show
        when={props.connection.enabled}
        fallback={
          <Button size="small" icon="player-play" busy={change.busy()} onClick={() => enable(true)}>
            {t('resume')}
          </Button>
        }
      >
        <Button size="small" icon="player-pause" busy={change.busy()} onClick={() => enable(false)}>
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
            readAgain(props.connection.id)
          }}
        />
      </Show>
      <Show when={failed()}>
        {(action) => (
          <Dialog title={t('not_done')} onClose={() => action().clear()}>
            <Failure error={action().failure()} />
            <footer>
              <Button autofocus onClick={() => action().clear()}>
                {ui('close')}
              </Button>
            </footer>
          </Dialog>
        )}
      </Show>
    </>
  )
}
