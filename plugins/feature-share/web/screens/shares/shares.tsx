import './shares.css'
import { Button, confirmAction, createAction, EmptyState, Failure, Page, PagedRows, showToast } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, createPagedQuery, type Schemas } from '../../api/index.js'
import { ShareDialog } from './share-dialog.js'
import { ShareRow, shareTitle } from './share-row.js'
import { t } from './texts.js'

type Share = Schemas['Share']

/** The person's links: where they lead, until when, and how often they were opened. */
export default function Shares(): JSX.Element {
  const [asks, setAsks] = createSignal(false)
  const list = createPagedQuery<Share>({
    key: () => ['shares'],
    read: (cursor, signal) => api.get('/api/shares', { query: { limit: 100, ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: ({ id }) => id,
  })
  const removal = createAction(
    async (share: Share) => {
      await api.delete('/api/shares/{share_id}', { path: { share_id: share.id } })
      list.remove(share.id)
      showToast(t(share.expired ? 'removed' : 'revoked', { name: shareTitle(share) }))
    },
    { concurrent: true },
  )
  const revoke = async (share: Share): Promise<void> => {
    const name = shareTitle(share)
    const question = share.expired
      ? true
      : await confirmAction({ title: t('revoke_question', { name }), text: t('revoke_text'), action: t('revoke_action'), keep: t('keep') })
    if (question) await removal.run(share)
  }
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button kind="main" icon="plus" onClick={() => setAsks(true)}>
          {t('new_link')}
        </Button>
      }
    >
      <Show when={removal.failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows list={list} label={t('title')} empty={<EmptyState title={t('empty')} text={t('empty_text')} />}>
        {(share) => <ShareRow share={share} onRevoke={() => void revoke(share)} />}
      </PagedRows>
      <Show when={asks()}>
        <ShareDialog onClose={() => setAsks(false)} />
      </Show>
    </Page>
  )
}
