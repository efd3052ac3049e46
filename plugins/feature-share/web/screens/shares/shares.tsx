import './shares.css'
import { Button, confirmAction, createPagedList, EmptyState, Failure, Page, PagedRows, showToast } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { ShareDialog } from './share-dialog.js'
import { ShareRow, shareTitle } from './share-row.js'
import { t } from './texts.js'

type Share = Schemas['Share']

/** The person's links: where they lead, until when, and how often they were opened. */
export default function Shares(): JSX.Element {
  const [asks, setAsks] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const list = createPagedList<Share>({
    load: (cursor) => api.get('/api/shares', { query: { limit: 100, ...(cursor !== undefined && { cursor }) } }),
    idOf: ({ id }) => id,
  })
  const revoke = async (share: Share): Promise<void> => {
    const name = shareTitle(share)
    const question = share.expired
      ? true
      : await confirmAction({ title: t('revoke_question', { name }), text: t('revoke_text'), action: t('revoke_action'), keep: t('keep') })
    if (!question) return
    setFailure(undefined)
    try {
      await api.delete('/api/shares/{share_id}', { path: { share_id: share.id } })
      list.remove(share.id)
      showToast(share.expired ? t('removed', { name }) : t('revoked', { name }))
    } catch (error) {
      setFailure(error)
    }
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
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows list={list} label={t('title')} empty={<EmptyState title={t('empty')} text={t('empty_text')} />}>
        {(share) => <ShareRow share={share} onRevoke={() => void revoke(share)} />}
      </PagedRows>
      <Show when={asks()}>
        <ShareDialog onClose={() => setAsks(false)} onCreated={() => void list.reload()} />
      </Show>
    </Page>
  )
}
