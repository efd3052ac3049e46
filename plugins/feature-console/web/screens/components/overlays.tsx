import { BannerBar, Button, confirmAction, MenuButton, Sheet, showToast } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { Kit } from './kit.js'
import { t } from './texts.js'

/** Dialogs, sheets, menus, toasts, banners. */
export function Overlays(): JSX.Element {
  const [sheet, setSheet] = createSignal(false)
  const ask = async (): Promise<void> => {
    const yes = await confirmAction({
      title: 'Delete the agent Ops?',
      text: 'Its 212 chats stay readable. Its memory and its 3 schedules are removed and cannot be brought back.',
      action: 'Delete Ops',
      keep: 'Keep it',
    })
    showToast(yes ? 'Deleted “Ops”' : 'Kept “Ops”')
  }
  return (
    <>
      <Kit title={t('dialogs')}>
        <div class="row">
          <Button onClick={() => void ask()}>Delete Ops</Button>
          <Button onClick={() => setSheet(true)}>Review changes</Button>
          <MenuButton
            name="Actions of the chat"
            items={[
              { label: 'Rename', icon: 'pencil', run: () => showToast('Renamed') },
              { label: 'Delete', icon: 'trash', danger: true, run: () => void ask() },
            ]}
          />
        </div>
        <Show when={sheet()}>
          <Sheet
            title="Review changes"
            onClose={() => setSheet(false)}
            footer={
              <Button kind="main" onClick={() => setSheet(false)}>
                Save 3 changes
              </Button>
            }
          >
            <p>A sheet comes from the end edge, and on phones from below.</p>
          </Sheet>
        </Show>
      </Kit>
      <Kit title={t('toasts')}>
        <div class="row">
          <Button onClick={() => showToast('Archived “Trip to Bergen”', { action: { label: 'Undo', run: () => showToast('Back again') } })}>
            Archive
          </Button>
          <Button onClick={() => showToast('You are offline. Your message goes out when you are back.', { mark: 'pause' })}>Send</Button>
        </div>
      </Kit>
      <Kit title={t('banners')}>
        <BannerBar
          banner={{
            id: 'restart',
            text: 'Two changes take effect after a restart.',
            action: { label: 'Restart now', run: () => showToast('Restarting') },
          }}
        />
        <BannerBar banner={{ id: 'refused', tone: 'danger', text: 'The provider refused the key. Check it or paste a new one.' }} />
      </Kit>
    </>
  )
}
